#!/bin/sh
# Recollect's hook: `hook <agent> <event>`, the agent's payload on standard input. It writes one small file, starts the
# worker when none runs, prints the prepared brief where a session starts, and ends with 0 whatever happens.
# Made by `recollect install`; `recollect uninstall` takes it out of every agent again.

trap 'exit 0' 0
trap '' PIPE XFSZ
exec 2>/dev/null
root=@root@
node=@node@
cli=@cli@
agent=$1
event=$2

# The hooks of a plugin keep quiet where the agent itself was given the same ones.
[ "$3" != plugin ] || [ ! -e "$root/bin/$agent.direct" ] || exit 0
# A session that one of our own model calls started, or that another memory or an agent keeps for itself.
[ -z "$RECOLLECT_INTERNAL$CLAUDE_INVOKED_BY" ] || exit 0
case $PWD in */memories_v2 | */memories_v2/*) exit 0 ;; esac
# Grok runs the hooks of Claude Code and Cursor too.
[ -z "$GROK_SESSION_ID" ] || agent=grok

wait_for() { # <process>: an agent that never closes its end, or a search that takes too long, is given two seconds
  {
    trap 'kill $sleeper; exit' TERM
    sleep 2 &
    sleeper=$!
    wait $sleeper && kill "$1"
  } >/dev/null 3<&- &
  wait "$1"
  kill $!
}

exec 3<&0
# What is known about a prompt, where the user wants that: the program itself answers, and nothing is kept here.
if [ "$event" = prompt ]; then
  [ -f "$cli" ] && [ "$agent" = "$1" ] && [ -z "$RECOLLECT_PROBE" ] || exit 0
  [ -x "$node" ] || node=node
  RECOLLECT_HOME=$root NODE_OPTIONS='' "$node" "$cli" recall --hook "$agent" <&3 3<&- &
  wait_for $!
  exit 0
fi

umask 077
set -C # no file that is there already is written over
spool=$root/spool
running=$root/run/worker
[ -d "$spool" ] && [ -d "$root/run" ] || mkdir -p "$spool" "$root/run" || exit 0
file=$spool/$agent.$event.$$.$PPID
while [ -e "$file" ]; do file=$file.0; done

# Of the payload only names, paths and single words are kept: nothing that anybody wrote reaches the disk here.
keys='session_?[iI]d|conversation_id|transcript_?[pP]ath|cwd|hook_?[eE]vent_?[nN]ame|agent_id|calling_session_id|timestamp|is_background_agent|cursor_version'
value='"([^"\\]|\\.)*"|[a-z0-9.]+'
colon='[[:space:]]*:[[:space:]]*'
LC_ALL=C GREP_OPTIONS='' grep -oE "\"($keys)\"$colon($value)|\"(source|reason|trigger)\"$colon\"[A-Za-z_-]{1,40}\"" <&3 >"$file" &
wait_for $!
# The dot at the end says that it is whole. A rename would say the same, and cost a process of its own.
echo . >>"$file" || exit 0
[ -z "$RECOLLECT_PROBE" ] || exit 0

start_worker() {
  [ -f "$cli" ] || return
  # Who makes this file starts the worker. It holds the worker's number, and the worker touches it while it works.
  if ! true >"$running"; then
    pid=
    read -r pid <"$running"
    if [ -z "$pid" ] || kill -0 "$pid"; then
      [ -n "$(find "$running" -mmin +2)" ] || return
    fi
  fi
  [ -x "$node" ] || node=node
  detached=
  if command -v setsid >/dev/null; then detached=setsid; fi
  (trap '' HUP && cd "$root" && RECOLLECT_HOME=$root NODE_OPTIONS='' exec $detached "$node" "$cli" work --json) </dev/null >/dev/null 2>&1 3<&- &
  echo $! >|"$running"
}

before=
case $agent:$event in
#@answers@
esac
if [ -z "$before" ]; then
  start_worker
  exit 0
fi

is_for_us() { # a subagent gets no brief, a conversation that goes on has had one, who runs another's hooks has its own
  while read -r field; do
    case $agent:$field in
      cursor:* | copilot-cli:'"sessionId"'*) ;;
      *:'"cursor_version"'* | *:'"sessionId"'*) return 1 ;;
    esac
    case $field in
      '"agent_id"'*'"' | '"calling_session_id"'*'"' | '"is_background_agent"'*true) return 1 ;;
      '"source"'*'"resume"' | '"source"'*'"fork"') return 1 ;;
    esac
  done <"$file"
}

pointer() { # <folder below briefs>: the brief that holds there
  [ -f "$root/briefs/$1/.brief" ] && read -r brief <"$root/briefs/$1/.brief" && [ -s "$root/briefs/$brief.json" ]
}

origin() { # <git config>: the brief by where the repository was cloned from, for a clone that is new
  remote=
  while read -r key equals value; do
    case $key in
      '[remote') remote=$equals ;;
      '['*) remote= ;;
      url) [ "$remote" = '"origin"]' ] && break ;;
    esac
  done <"$1"
  [ "$remote" = '"origin"]' ] || return 1
  url=${value%/}
  url=${url%.git}
  case $url in
    *://*)
      url=${url#*://}
      path=${url#*/}
      host=${url%%/*}
      host=${host#*@}
      pointer "remotes/${host%%:*}/$path"
      ;;
    *:*)
      host=${url%%:*}
      pointer "remotes/${host#*@}/${url#*:}"
      ;;
  esac
}

find_brief() { # this folder's, else that of the repository around it, of its main worktree, of its origin
  pointer "folders$PWD" && return
  folder=$PWD
  until [ -e "$folder/.git" ]; do
    folder=${folder%/*}
    [ -n "$folder" ] || return 1
  done
  pointer "folders$folder" && return
  git=$folder/.git
  if [ -f "$git" ]; then
    read -r _ git <"$git"
    case $git in /*) ;; *) git=$folder/$git ;; esac
    git=${git%/worktrees/*}
    pointer "folders${git%/.git}" && return
  fi
  origin "$git/config"
}

print_brief() {
  # Cursor runs its hooks elsewhere. A folder that was reached through a link is looked for as it was named, then as it is.
  [ -z "$CURSOR_PROJECT_DIR" ] || [ "$agent" != cursor ] || cd "$CURSOR_PROJECT_DIR"
  find_brief || { cd -P . && find_brief; } || return
  { # open before the first word is printed: all of the answer, or nothing
    printf %s "$before"
    cat
    printf '%s\n' "$after"
  } <"$root/briefs/$brief.json"
}

is_for_us && print_brief
start_worker
