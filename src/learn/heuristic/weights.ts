// Written by `npm run train`; do not edit. An entry is a weight in hundredths and the name of its
// feature; `~` marks a phrase.

export const calibration = { slope: 1.051, offset: 0.078, threshold: 0.0552 }

export const weightTable = `
-16 aboutMe;13 aboutThing;30 aboutThis;68 aboutWe;10 aboutYou;4 accepted;22 address;11 adds;24 agent
111 agentDoc;15 agrees;42 allOf;-13 alone;33 already;52 always;-13 answerDone;-11 answerLooks;64 answerNoted
78 answerRight;50 answerRule;60 answerSorry;-114 answerSure;36 anyOf;102 approach;38 ask;-62 asks;-5 ban
94 banFirst;78 banGeneral;-34 bare;17 because;-9 beforeAfter;-91 besidePaste;-360 bias;-43 but;8 canYou
3 cannot;43 concern;64 conduct;48 consistent;49 context;118 correctWay;76 decided;21 defines;18 dontWant
65 exclaims;45 exists;86 explainedNext;-55 firstWord;15 forNow;86 fromNowOn;9 general;83 goWith;46 happened
-63 have;-77 hedge;8 here;8 hm;47 holds;-22 howTo;-13 iSaid;22 iThink;3 iUse;-51 impersonal;-5 insists
-30 insteadOf;49 isNot;108 itWas;46 length;-20 lets;27 letsNot;15 located;39 makeSure;28 must;-20 names
79 never;44 no;8 noAnswer;114 noLonger;28 noThing;19 notNeeded;42 notWork;-87 ofMany;66 ofSteps;-40 oneNew
-65 onlyWhen;-90 opensList;-9 option;-27 orders;28 our;100 outright correction;100 outright debugging
90 outright decision;97 outright fact;100 outright operational;69 outright preference;18 particular;40 place
19 please;9 plural;247 points;127 prefer;50 principle;26 problem;9 purpose;-51 questionMark;10 readsFrom
19 reasoned;40 refer;25 refuted;91 remember;15 should;-29 soThat;41 solved;80 standing;34 states;-13 status
-6 stopDoing;-13 style;65 swears;108 switched;-49 symptom;-42 tagQuestion;24 testing;-43 thanks;89 thatWasIt
-22 thisNotThat;-60 thisThing;6 timeless;-68 tiny;-65 trailsOff;-15 tried;-21 turn;58 useInstead;63 value
95 wantAll;5 wasAsked;45 weDecide;16 weDo;-9 weDont;-6 weHave;32 weShould;-62 weTask;17 weWant;18 whereas
50 wholeRepo;80 whyDo;13 wishToRemember;44 workaround;-13 workflow;11 you;71 youDid;71 youHave;19 ~!;7 ~! $
12 ~! ?;-8 ~$;-34 ~:;-6 ~: $;-26 ~?;-23 ~? $;3 ~CODE;-6 ~CODE $;19 ~DOC;-10 ~FLAG;11 ~IDENT;-22 ~IDENT $
-7 ~IDENT ?;-10 ~IDENT IDENT;-22 ~IDENT and;11 ~IDENT for;8 ~IDENT is;-11 ~IDENT to;-10 ~PATH;-23 ~PATH $
-9 ~PATH :;-9 ~PATH is;-32 ~QUOTE;-17 ~QUOTE $;-7 ~QUOTE and;7 ~URL;-8 ~^;-12 ~^ CODE;-20 ~^ PATH
-9 ~^ address;-8 ~^ also;5 ~^ and;-7 ~^ but;-19 ~^ can;13 ~^ claude;-8 ~^ don't;11 ~^ have;13 ~^ hmm
-9 ~^ hmmm;-10 ~^ how;-5 ~^ i;-13 ~^ i'd;-11 ~^ i'm;-9 ~^ if;-13 ~^ in;-15 ~^ is;12 ~^ it;35 ~^ it's
24 ~^ just;17 ~^ no;7 ~^ now;-11 ~^ ok;13 ~^ okay;-6 ~^ or;23 ~^ please;15 ~^ remove;11 ~^ run;10 ~^ seems
-13 ~^ so;-20 ~^ that;19 ~^ that's;28 ~^ the;-15 ~^ then;-8 ~^ there;-14 ~^ this;-7 ~^ to;26 ~^ we;-20 ~^ what
-4 ~^ when;16 ~^ where;30 ~^ why;5 ~^ yes;16 ~^ you;-9 ~^ yup;-20 ~a;16 ~a PATH;16 ~a git;-9 ~a look
-15 ~a new;-7 ~a session;-8 ~a test;24 ~a user;11 ~about;-8 ~active;31 ~actual;21 ~actually;12 ~add the
-8 ~added;19 ~additional;-17 ~address;-6 ~after;13 ~again;10 ~again $;-21 ~agent;14 ~agentv;-10 ~all the
24 ~already;-12 ~also;13 ~also add;2 ~an;-5 ~and;-7 ~and $;-11 ~and IDENT;-11 ~and PATH;-13 ~and a;13 ~and do
-10 ~and how;-12 ~and if;19 ~and not;12 ~and run;9 ~and the;-7 ~and then;16 ~and we;-19 ~another;-3 ~any
-11 ~anymore;-19 ~anything;9 ~anyway;20 ~app;38 ~are;-7 ~are not;11 ~aren't;-11 ~arg;8 ~as;-12 ~as a
17 ~as well;7 ~at;16 ~at PATH;-9 ~auto commit;22 ~available;-8 ~b;-19 ~back;-8 ~back to;-13 ~base;-8 ~based on
14 ~bash;30 ~be;-13 ~be a;-8 ~because;23 ~being;10 ~between;-7 ~bit;-18 ~both;-5 ~branch;-7 ~branches;-6 ~but
7 ~but i;-15 ~but we;9 ~by;10 ~by the;-7 ~c;22 ~call;28 ~can;20 ~can be;25 ~can we;-28 ~can you;10 ~can't
-10 ~cannot;10 ~case;18 ~cases;15 ~cause;-20 ~change;-9 ~change $;-18 ~changes;-14 ~chat;-32 ~check
-6 ~check the;-5 ~checkpoint;4 ~checkpoints;22 ~claude;-11 ~clean;-8 ~clear;30 ~cli;19 ~cli $;41 ~cloud
22 ~code;-8 ~code $;12 ~codebase;-10 ~coder;-11 ~coding;-34 ~color;-15 ~command;11 ~command $;11 ~commands
-11 ~comment;11 ~commit;19 ~commit $;12 ~commit in;17 ~commits;-11 ~compaction;8 ~configuration;-16 ~confirm
11 ~consistent;24 ~contains;-17 ~content;7 ~context;18 ~copy;12 ~correct;-11 ~could;-8 ~create;-7 ~create a
14 ~created;-20 ~current;-9 ~currently;-15 ~cursor;-15 ~custom;8 ~cwd;-9 ~d;-7 ~data;26 ~date;-8 ~db;-8 ~debug
-10 ~default;8 ~dev;15 ~did;-7 ~didn't;-8 ~diff;20 ~directly;-9 ~directory;-7 ~do;9 ~do not;-8 ~do this
-4 ~docs;-6 ~document;-7 ~does;16 ~doesn't;6 ~don't;12 ~don't think;-16 ~down;11 ~dry;11 ~during;12 ~e;22 ~e e
-15 ~each;19 ~either;8 ~end;23 ~entire;11 ~entire sessions;20 ~entry;-5 ~error;9 ~errors;-9 ~etc;23 ~eval
16 ~every;19 ~everything;24 ~example;-13 ~exist;-15 ~existing;-12 ~exists;-9 ~explain;-10 ~explicit;-8 ~f
16 ~fail;-9 ~fails;-7 ~false;10 ~feedback;-8 ~feel;-17 ~field;-21 ~file;11 ~filter;-31 ~first;-5 ~fix
-10 ~fixed;19 ~folder;22 ~for;7 ~for CODE;17 ~for IDENT;11 ~for example;9 ~for the;-14 ~for this;-7 ~found
24 ~from;10 ~full;9 ~function;6 ~gemini;-21 ~get;11 ~gets;13 ~getting;28 ~git;8 ~github;13 ~given;-5 ~go
15 ~going;10 ~going to;-6 ~good;-12 ~got;-11 ~gradient;18 ~has;3 ~have;-13 ~have a;-6 ~have the;-10 ~have to
13 ~here;-12 ~here $;10 ~here :;17 ~here ?;13 ~hmm;-9 ~hmmm;17 ~hook;-22 ~how;-14 ~how we;9 ~human;-6 ~i
-9 ~i can;11 ~i did;-10 ~i don't;18 ~i just;-9 ~i wonder;14 ~i would;-18 ~i'd;-25 ~i'm;8 ~i've;12 ~id;-42 ~if
12 ~if a;-10 ~if i;9 ~if not;-9 ~if the;-15 ~if we;-9 ~implement;-9 ~implementation;11 ~implemented
-9 ~in PATH;12 ~in a;-15 ~in the;13 ~in this;17 ~instructions;-4 ~into;6 ~into the;-8 ~investigate;24 ~is
32 ~is a;-11 ~is also;12 ~is an;-12 ~is it;8 ~is no;-5 ~is not;5 ~is the;-19 ~is there;9 ~is to;8 ~isn't
-8 ~issue $;-17 ~it;26 ~it $;-7 ~it in;18 ~it is;-12 ~it should;14 ~it to;44 ~it's;18 ~just;5 ~keep
-15 ~keep the;-4 ~know;24 ~leave;-6 ~let's;-25 ~level;5 ~like;12 ~like it;-7 ~line;17 ~local;15 ~log
-9 ~logging;-9 ~logic;11 ~longer;-6 ~look;-8 ~look at;-11 ~looks;19 ~machine;-14 ~main;11 ~make;20 ~make sure
-9 ~make the;-10 ~makes;10 ~manual;-9 ~map;-16 ~maybe;9 ~md;-28 ~me;9 ~mean;-11 ~means;-9 ~meant;-12 ~merge
11 ~messages;-8 ~might;-8 ~might be;13 ~migration;-9 ~missing;-11 ~mode;4 ~more;18 ~move;7 ~my;-4 ~need
-9 ~need a;-26 ~need to;13 ~needed;26 ~needs;13 ~needs to;24 ~never;-14 ~new;-6 ~next;11 ~no;-11 ~no ?
13 ~no longer;20 ~none;30 ~not;13 ~not a;18 ~not be;8 ~not the;-11 ~note;-8 ~nothing;-10 ~now;-6 ~now $
-9 ~number;7 ~of;10 ~of IDENT;-3 ~of the;-13 ~of this;-11 ~oh;-16 ~ok;-5 ~ok let's;10 ~ok the;12 ~okay
-10 ~old;-10 ~on;4 ~on the;-6 ~one;8 ~ones;27 ~only;-6 ~open;14 ~option;-10 ~options;-20 ~or;-13 ~other;8 ~our
16 ~out;-14 ~out the;-12 ~output;15 ~part;18 ~part of;19 ~pattern;29 ~people;-14 ~phase;-18 ~plan;24 ~please
-7 ~please $;-22 ~point;-36 ~pr;-13 ~present;-9 ~pretty;11 ~prior;13 ~problem;-7 ~project;-18 ~prompt
12 ~prompts;12 ~provide;10 ~provider;21 ~providers;8 ~push;17 ~r;-7 ~ran;19 ~read;10 ~reason;12 ~reference
-7 ~release;20 ~remove;15 ~repo;-12 ~repo $;10 ~resolve;-13 ~rest;-15 ~restore;12 ~result;15 ~resume
-16 ~review;-7 ~right;-7 ~right ?;-12 ~right now;-7 ~root;21 ~run;-11 ~runs;6 ~same;20 ~say;18 ~schema
-10 ~script;7 ~second;-18 ~see;-8 ~see the;-7 ~seem;-11 ~seem to;-14 ~seems;-7 ~segment;-5 ~sense;25 ~server
-12 ~session;-22 ~session $;17 ~session id;-23 ~sessions;-7 ~sessions $;14 ~settings;15 ~setup;-9 ~shadow
-23 ~shell;13 ~should;12 ~should not;-8 ~shouldn't;-8 ~show;-8 ~show the;-15 ~showing;-10 ~shown;19 ~similar
-6 ~since;-8 ~single;-10 ~skill;11 ~skills;-12 ~so;16 ~so it;-13 ~so that;7 ~so the;11 ~so we;17 ~solve
-31 ~some;-8 ~specstory;-18 ~start;-18 ~starting;12 ~state;17 ~state $;-11 ~step;-9 ~still;5 ~stop;17 ~string
8 ~subagent;13 ~support;28 ~sure;-9 ~switch;-9 ~sync;8 ~table;-14 ~take;-7 ~take a;-6 ~task;-13 ~telemetry
5 ~tell;36 ~tests;-13 ~text;21 ~that;-6 ~that $;-8 ~that the;12 ~that was;24 ~that's;-6 ~the;6 ~the CODE
7 ~the IDENT;-8 ~the QUOTE;-8 ~the agent;-7 ~the checkpoint;17 ~the claude;27 ~the cli;9 ~the cloud
-9 ~the code;9 ~the commit;-12 ~the current;-8 ~the doc;9 ~the entire;-7 ~the existing;-6 ~the file
-11 ~the first;-6 ~the full;12 ~the issue;-12 ~the new;-10 ~the next;-9 ~the one;8 ~the only;10 ~the other
-15 ~the pr;-8 ~the project;-11 ~the prompt;14 ~the same;-9 ~the search;24 ~the session;-9 ~the sessions
-20 ~the test;12 ~the user;25 ~their;-11 ~them;-14 ~them $;-12 ~theme;-30 ~then;-8 ~then we;9 ~there are
-9 ~there's;24 ~these;-16 ~they;-11 ~thing;7 ~think;11 ~think we;13 ~this;-16 ~this $;-14 ~this ?;13 ~this as
-6 ~this branch;12 ~this is;-18 ~those;15 ~though;28 ~time;17 ~to;14 ~to a;-10 ~to add;21 ~to be
-15 ~to change;11 ~to date;-18 ~to do;8 ~to have;22 ~to keep;11 ~to look;22 ~to move;7 ~to resume;10 ~to see
40 ~to the;-9 ~to use;-11 ~to work;11 ~together;19 ~too;-9 ~too $;5 ~tool;11 ~track;7 ~transcript;6 ~try
-14 ~tui;12 ~two;-22 ~type;13 ~ui;-2 ~up;6 ~up $;12 ~up and;7 ~up to;-32 ~update;-18 ~update the;-7 ~updated
7 ~us;49 ~use;20 ~used;26 ~user;16 ~users;22 ~using;-7 ~ux;14 ~v;-9 ~value;-9 ~version;-10 ~via;-12 ~vs;-14 ~w
12 ~want;7 ~want to;-11 ~warning;-4 ~was;9 ~watch;-10 ~way to;7 ~we;-5 ~we are;-5 ~we can;11 ~we do
-9 ~we don't;-11 ~we get;-23 ~we have;7 ~we should;-21 ~we want;15 ~we're;10 ~we've;26 ~web;-18 ~were
-28 ~what;-8 ~what the;-14 ~what we;5 ~what's;-13 ~whatever;-23 ~when;-7 ~when the;7 ~where;24 ~where the
9 ~which;17 ~why;13 ~why do;-12 ~why is;21 ~will;6 ~with a;-6 ~with the;7 ~without;-9 ~wonder;-7 ~work
18 ~worked;-13 ~worker;7 ~works;14 ~workspace;-15 ~write;7 ~yes;-19 ~yet;10 ~you;8 ~you can;-5 ~you check
-9 ~yup
`
