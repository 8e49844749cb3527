// Written by `npm run train`; do not edit. An entry is a weight in hundredths and the name of its
// feature; `~` marks a phrase.

export const calibration = { slope: 1.059, offset: 0.096, threshold: 0.0534 }

export const weightTable = `
-16 aboutMe;13 aboutThing;29 aboutThis;68 aboutWe;8 aboutYou;5 accepted;21 address;11 adds;25 agent
108 agentDoc;12 agrees;41 allOf;-12 alone;34 already;52 always;-16 answerDone;-12 answerLooks;64 answerNoted
77 answerRight;50 answerRule;58 answerSorry;-113 answerSure;2 answerToQuestion;36 anyOf;103 approach;39 ask
-63 asks;-7 ban;94 banFirst;78 banGeneral;-31 bare;17 because;-10 beforeAfter;-93 besidePaste;-363 bias
-43 but;7 canYou;3 cannot;44 concern;64 conduct;47 consistent;51 context;119 correctWay;75 decided;22 defines
19 dontWant;-2 endless;66 exclaims;45 exists;87 explainedNext;-55 firstWord;16 forNow;85 fromNowOn;10 general
83 goWith;47 happened;-63 have;-77 hedge;7 here;8 hm;48 holds;-22 howTo;-13 iSaid;22 iThink;3 iUse
-51 impersonal;-4 insists;-31 insteadOf;50 isNot;109 itWas;52 length;-21 lets;28 letsNot;16 located
39 makeSure;28 must;-20 names;81 never;43 no;9 noAnswer;115 noLonger;28 noThing;19 notNeeded;42 notWork
-87 ofMany;66 ofSteps;-40 oneNew;-64 onlyWhen;-10 option;-27 orders;28 our;100 outright correction
100 outright debugging;90 outright decision;97 outright fact;100 outright operational;68 outright preference
17 particular;39 place;19 please;10 plural;243 points;127 prefer;51 principle;26 problem;7 purpose
-51 questionMark;11 readsFrom;19 reasoned;39 refer;25 refuted;92 remember;14 should;-28 soThat;42 solved
80 standing;33 states;-13 status;-5 stopDoing;-13 style;62 swears;108 switched;-48 symptom;-41 tagQuestion
24 testing;-43 thanks;87 thatWasIt;-21 thisNotThat;-59 thisThing;6 timeless;-71 tiny;-64 trailsOff;-17 tried
-21 turn;58 useInstead;62 value;95 wantAll;4 wasAsked;45 weDecide;15 weDo;-9 weDont;-6 weHave;32 weShould
-62 weTask;17 weWant;19 whereas;49 wholeRepo;80 whyDo;13 wishToRemember;45 workaround;-12 workflow;11 you
69 youDid;71 youHave;19 ~!;7 ~! $;12 ~! ?;-8 ~$;-42 ~:;-23 ~: $;-26 ~?;-23 ~? $;2 ~CODE;-7 ~CODE $;18 ~DOC
-10 ~FLAG;12 ~IDENT;-23 ~IDENT $;-7 ~IDENT ?;-10 ~IDENT IDENT;-22 ~IDENT and;11 ~IDENT for;7 ~IDENT is
-11 ~IDENT to;-9 ~PATH;-24 ~PATH $;-8 ~PATH :;-8 ~PATH is;-32 ~QUOTE;-17 ~QUOTE $;-7 ~QUOTE and;7 ~URL;-8 ~^
-11 ~^ CODE;-20 ~^ PATH;-9 ~^ address;-8 ~^ also;5 ~^ and;-7 ~^ but;-19 ~^ can;13 ~^ claude;-9 ~^ don't
11 ~^ have;13 ~^ hmm;-9 ~^ hmmm;-11 ~^ how;-5 ~^ i;-13 ~^ i'd;-11 ~^ i'm;-9 ~^ if;-13 ~^ in;-15 ~^ is;13 ~^ it
34 ~^ it's;24 ~^ just;17 ~^ no;7 ~^ now;-11 ~^ ok;13 ~^ okay;-6 ~^ or;23 ~^ please;15 ~^ remove;11 ~^ run
10 ~^ seems;-13 ~^ so;-20 ~^ that;19 ~^ that's;27 ~^ the;-15 ~^ then;-7 ~^ there;-14 ~^ this;-7 ~^ to;26 ~^ we
-20 ~^ what;-4 ~^ when;16 ~^ where;30 ~^ why;5 ~^ yes;17 ~^ you;-9 ~^ yup;-19 ~a;16 ~a PATH;17 ~a git
-9 ~a look;-15 ~a new;-8 ~a session;-8 ~a test;24 ~a user;11 ~about;-8 ~active;31 ~actual;20 ~actually
11 ~add the;-8 ~added;19 ~additional;-17 ~address;-5 ~after;13 ~again;10 ~again $;-21 ~agent;15 ~agentv
-10 ~all the;23 ~already;-12 ~also;13 ~also add;-5 ~and;-7 ~and $;-11 ~and IDENT;-11 ~and PATH;-13 ~and a
13 ~and do;-10 ~and how;-12 ~and if;18 ~and not;12 ~and run;9 ~and the;-6 ~and then;16 ~and we;-19 ~another
-3 ~any;-11 ~anymore;-19 ~anything;9 ~anyway;20 ~app;37 ~are;-8 ~are not;11 ~aren't;-11 ~arg;8 ~as;-12 ~as a
17 ~as well;7 ~at;16 ~at PATH;-9 ~auto commit;22 ~available;-8 ~b;-20 ~back;-9 ~back to;-13 ~base;-8 ~based on
14 ~bash;30 ~be;-13 ~be a;-8 ~because;6 ~been;23 ~being;10 ~between;-7 ~bit;-18 ~both;-5 ~branch;-7 ~branches
-6 ~but;7 ~but i;-16 ~but we;9 ~by;10 ~by the;-7 ~c;22 ~call;28 ~can;21 ~can be;25 ~can we;-28 ~can you
10 ~can't;-11 ~cannot;10 ~case;18 ~cases;15 ~cause;-21 ~change;-9 ~change $;-18 ~changes;-14 ~chat;-33 ~check
-6 ~check the;-5 ~checkpoint;4 ~checkpoints;22 ~claude;-11 ~clean;-8 ~clear;30 ~cli;19 ~cli $;41 ~cloud
23 ~code;-7 ~code $;12 ~codebase;-10 ~coder;-11 ~coding;-34 ~color;-15 ~command;12 ~command $;11 ~commands
-11 ~comment;11 ~commit;19 ~commit $;12 ~commit in;17 ~commits;-11 ~compaction;8 ~configuration;-16 ~confirm
11 ~consistent;24 ~contains;-17 ~content;8 ~context;19 ~copy;12 ~correct;-11 ~could;-7 ~create;-7 ~create a
14 ~created;-20 ~current;-8 ~currently;-15 ~cursor;-15 ~custom;9 ~cwd;-8 ~d;-7 ~data;27 ~date;-8 ~db;-8 ~debug
-9 ~default;8 ~dev;15 ~did;-7 ~didn't;-8 ~diff;20 ~directly;-9 ~directory;-8 ~do;9 ~do not;-8 ~do this
-4 ~docs;-6 ~document;-7 ~does;15 ~doesn't;6 ~don't;12 ~don't think;-16 ~down;11 ~dry;11 ~during;12 ~e;22 ~e e
-15 ~each;20 ~either;8 ~end;23 ~entire;11 ~entire sessions;20 ~entry;-5 ~error;9 ~errors;-9 ~etc;23 ~eval
17 ~every;19 ~everything;23 ~example;-13 ~exist;-15 ~existing;-12 ~exists;-9 ~explain;-10 ~explicit;-8 ~f
16 ~fail;-9 ~fails;-7 ~false;10 ~feedback;-8 ~feel;-17 ~field;-21 ~file;11 ~filter;-31 ~first;-5 ~fix
-10 ~fixed;19 ~folder;-6 ~following;22 ~for;7 ~for CODE;16 ~for IDENT;11 ~for example;9 ~for the;-14 ~for this
-6 ~found;24 ~from;9 ~full;8 ~function;6 ~gemini;-22 ~get;11 ~gets;13 ~getting;28 ~git;8 ~github;13 ~given
-5 ~go;15 ~going;10 ~going to;-7 ~good;-12 ~got;-10 ~gradient;18 ~has;2 ~have;-13 ~have a;-6 ~have the
-10 ~have to;12 ~here;-11 ~here $;10 ~here :;17 ~here ?;13 ~hmm;-9 ~hmmm;17 ~hook;-22 ~how;-14 ~how we
10 ~human;-6 ~i;-9 ~i can;11 ~i did;-10 ~i don't;18 ~i just;-9 ~i wonder;13 ~i would;-18 ~i'd;-25 ~i'm;7 ~i've
12 ~id;-42 ~if;12 ~if a;-10 ~if i;9 ~if not;-9 ~if the;-15 ~if we;-9 ~implement;-9 ~implementation
11 ~implemented;-9 ~in PATH;12 ~in a;-14 ~in the;13 ~in this;17 ~instructions;-4 ~into;6 ~into the
-8 ~investigate;24 ~is;32 ~is a;-11 ~is also;12 ~is an;-12 ~is it;8 ~is no;-6 ~is not;5 ~is the;-20 ~is there
9 ~is to;9 ~isn't;-7 ~issue $;-17 ~it;26 ~it $;-7 ~it in;18 ~it is;-12 ~it should;14 ~it to;44 ~it's;18 ~just
5 ~keep;-15 ~keep the;-4 ~know;24 ~leave;-6 ~let's;-25 ~level;5 ~like;12 ~like it;-7 ~line;17 ~local;15 ~log
-8 ~logging;-10 ~logic;11 ~longer;-6 ~look;-8 ~look at;-11 ~looks;18 ~machine;-15 ~main;11 ~make;20 ~make sure
-9 ~make the;-11 ~makes;10 ~manual;-9 ~map;-16 ~maybe;9 ~md;-28 ~me;9 ~mean;-11 ~means;-9 ~meant;-12 ~merge
11 ~messages;-8 ~might;-8 ~might be;13 ~migration;-9 ~missing;-11 ~mode;4 ~more;18 ~move;8 ~my;-4 ~need
-9 ~need a;-26 ~need to;12 ~needed;25 ~needs;13 ~needs to;24 ~never;-14 ~new;-6 ~next;11 ~no;-11 ~no ?
14 ~no longer;20 ~none;29 ~not;13 ~not a;17 ~not be;8 ~not the;-11 ~note;-8 ~nothing;-10 ~now;-6 ~now $
-9 ~number;6 ~of;10 ~of IDENT;-13 ~of this;-11 ~oh;-16 ~ok;-5 ~ok let's;11 ~ok the;12 ~okay;-9 ~old;-10 ~on
4 ~on the;-6 ~one;8 ~ones;27 ~only;-6 ~open;14 ~option;-10 ~options;-19 ~or;-13 ~other;8 ~our;17 ~out
-14 ~out the;-12 ~output;14 ~part;18 ~part of;17 ~pattern;29 ~people;-14 ~phase;-17 ~plan;23 ~please
-7 ~please $;-22 ~point;-36 ~pr;-13 ~present;-9 ~pretty;11 ~prior;13 ~problem;-6 ~project;-18 ~prompt
12 ~prompts;12 ~provide;10 ~provider;21 ~providers;8 ~push;17 ~r;-7 ~ran;18 ~read;10 ~reason;12 ~reference
-7 ~release;20 ~remove;15 ~repo;-12 ~repo $;10 ~resolve;-13 ~rest;-15 ~restore;12 ~result;15 ~resume
-16 ~review;-7 ~right;-7 ~right ?;-12 ~right now;-7 ~root;21 ~run;-11 ~runs;5 ~same;20 ~say;19 ~schema
-10 ~script;7 ~second;-18 ~see;-8 ~see the;-8 ~seem;-11 ~seem to;-14 ~seems;-7 ~segment;-6 ~sense;25 ~server
-12 ~session;-22 ~session $;18 ~session id;-23 ~sessions;-6 ~sessions $;14 ~settings;15 ~setup;-9 ~shadow
-23 ~shell;13 ~should;11 ~should not;-8 ~shouldn't;-8 ~show;-8 ~show the;-15 ~showing;-10 ~shown;19 ~similar
-6 ~since;-8 ~single;-10 ~skill;11 ~skills;-11 ~so;17 ~so it;-14 ~so that;7 ~so the;11 ~so we;17 ~solve
-31 ~some;-8 ~specstory;-18 ~start;-18 ~starting;10 ~state;18 ~state $;-11 ~step;-9 ~still;6 ~stop;17 ~string
8 ~subagent;13 ~support;28 ~sure;-9 ~switch;-9 ~sync;8 ~table;-13 ~take;-7 ~take a;-6 ~task;-12 ~telemetry
5 ~tell;36 ~tests;-13 ~text;21 ~that;-6 ~that $;-8 ~that the;12 ~that was;23 ~that's;-6 ~the;6 ~the CODE
7 ~the IDENT;-8 ~the QUOTE;-8 ~the agent;-7 ~the checkpoint;17 ~the claude;27 ~the cli;9 ~the cloud
-9 ~the code;9 ~the commit;-12 ~the current;-8 ~the doc;9 ~the entire;-6 ~the file;-11 ~the first;-7 ~the full
12 ~the issue;-12 ~the new;-10 ~the next;-9 ~the one;8 ~the only;10 ~the other;-15 ~the pr;-8 ~the project
-11 ~the prompt;14 ~the same;-9 ~the search;24 ~the session;-9 ~the sessions;-20 ~the test;13 ~the user
25 ~their;-11 ~them;-14 ~them $;-12 ~theme;-31 ~then;-8 ~then we;10 ~there are;-9 ~there's;23 ~these;-15 ~they
-11 ~thing;8 ~think;11 ~think we;12 ~this;-16 ~this $;-13 ~this ?;13 ~this as;-6 ~this branch;13 ~this is
-17 ~those;15 ~though;28 ~time;18 ~to;14 ~to a;-10 ~to add;21 ~to be;-14 ~to change;11 ~to date;-17 ~to do
8 ~to have;22 ~to keep;11 ~to look;22 ~to move;7 ~to resume;10 ~to see;39 ~to the;-9 ~to use;-11 ~to work
11 ~together;19 ~too;-9 ~too $;5 ~tool;11 ~track;7 ~transcript;6 ~try;-14 ~tui;11 ~two;-21 ~type;13 ~ui;-3 ~up
7 ~up $;12 ~up and;7 ~up to;-32 ~update;-18 ~update the;-8 ~updated;7 ~us;49 ~use;21 ~used;26 ~user;16 ~users
22 ~using;-7 ~ux;15 ~v;-9 ~value;-8 ~version;-10 ~via;-12 ~vs;-14 ~w;12 ~want;7 ~want to;-11 ~warning;-3 ~was
9 ~watch;-10 ~way to;8 ~we;-4 ~we are;-5 ~we can;11 ~we do;-9 ~we don't;-11 ~we get;-23 ~we have;7 ~we should
-22 ~we want;15 ~we're;10 ~we've;27 ~web;-17 ~were;-28 ~what;-8 ~what the;-14 ~what we;5 ~what's;-13 ~whatever
-23 ~when;-7 ~when the;7 ~where;23 ~where the;9 ~which;17 ~why;12 ~why do;-12 ~why is;21 ~will;6 ~with a
-6 ~with the;7 ~without;-9 ~wonder;-7 ~work;18 ~worked;-13 ~worker;8 ~works;14 ~workspace;-15 ~write;7 ~yes
-19 ~yet;10 ~you;8 ~you can;-5 ~you check;8 ~you have;-9 ~yup
`
