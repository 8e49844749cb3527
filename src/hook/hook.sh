#!/bin/sh
# Recollect's hook: `hook <agent> <event>`, the agent's payload on standard input. It writes one small
# file, starts the worker unless one runs, prints the prepared brief when a session starts and what a
# summary should keep before a compaction, and always exits with 0. Written by `recollect install`;
# `recollect uninstall` removes it from every agent.

trap 'exit 0' 0
trap '' PIPE XFSZ
exec 2>/dev/null
root=@root@
node=@node@
cli=@cli@
agent=$1
event=$2

# The hooks of the plugin do nothing if the agent has the same hooks in its own configuration.
[ "$3" != plugin ] || [ ! -e "$root/bin/$agent.direct" ] || exit 0
# Ignore sessions that one of our own model calls started, or that an agent started for itself.
[ -z "$RECOLLECT_INTERNAL@internal_variables@" ] || exit 0
case $PWD in @internal_folders@) exit 0 ;; esac
# Some agents also run the hooks of other agents; a variable names them.
#@sender_variables@

wait_for() { # <process>: waits two seconds at most, for agents that never close their end and slow searches
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
# The program itself answers a prompt, if the user wants that; nothing is stored here.
if [ "$event" = prompt ]; then
  [ -f "$cli" ] && [ "$agent" = "$1" ] && [ -z "$RECOLLECT_PROBE" ] || exit 0
  [ -x "$node" ] || node=node
  RECOLLECT_HOME=$root NODE_OPTIONS='' "$node" "$cli" recall --hook "$agent" <&3 3<&- &
  wait_for $!
  exit 0
fi

# A hint is looked up at the end; nothing is captured for it.
hint=
case $event in failure | edit) hint=$event ;; esac

umask 077
set -C # never overwrite an existing file
spool=$root/spool
running=$root/run/worker
if [ -z "$hint" ]; then
  [ -d "$spool" ] && [ -d "$root/run" ] || mkdir -p "$spool" "$root/run" || exit 0
  file=$spool/$agent.$event.$$.$PPID
  while [ -e "$file" ]; do file=$file.0; done

  # Of the payload only names, paths and single words are kept: no user text is written to disk here.
  keys='session_?[iI]d|conversation_?[iI]d|trajectory_id|transcript_?[pP]ath|cwd|hook_?[eE]vent_?[nN]ame|agent_id|calling_session_id|timestamp|is_background_agent|cursor_version'
  value='"([^"\\]|\\.)*"|[a-z0-9.]+'
  colon='[[:space:]]*:[[:space:]]*'
  LC_ALL=C GREP_OPTIONS='' grep -oE "\"($keys)\"$colon($value)|\"(source|reason|trigger)\"$colon\"[A-Za-z_-]{1,40}\"" <&3 >"$file" &
  wait_for $!
  # The dot marks the file as complete. A rename would do the same, but costs another process.
  echo . >>"$file" || exit 0
fi
[ -z "$RECOLLECT_PROBE" ] || exit 0

start_worker() {
  [ -f "$cli" ] || return
  # The process that creates this file starts the worker. It holds the worker's pid, and the worker touches it while
  # it runs. Opening anything but a file could wait forever.
  [ ! -e "$running" ] || [ -f "$running" ] || rm -rf "$running"
  if ! true >"$running"; then
    pid=
    read -r pid <"$running"
    if [ -z "$pid" ] || kill -0 "$pid"; then
      [ -n "$(find "$running" -mmin +2)" ] || return
    fi
  fi
  [ -x "$node" ] || node=node
  # An agent may signal the group of its hook as soon as that has ended, which is before setsid runs. Node takes signals
  # again when it starts.
  trap '' HUP INT TERM
  (
    detached=
    if command -v setsid; then detached=setsid; fi
    cd "$root" && RECOLLECT_HOME=$root NODE_OPTIONS='' exec $detached "$node" "$cli" work --json
  ) </dev/null >/dev/null 2>&1 3<&- &
  echo $! >|"$running"
}

before=
keeps=
on_resume=
continues=
case $agent:$event in
#@answers@
esac
# An agent that runs the hook of another one gets its answer from its own.
if [ -z "$before$keeps" ] || [ "$agent" != "$1" ]; then
  [ -n "$hint" ] || start_worker
  exit 0
fi

takes_brief() { # no brief for subagents, for conversations that have one, and for agents that run the hook of another agent
  while read -r field; do
    case $agent:$field in
#@payload_fields@
    esac
    case $field in
      '"agent_id"'*'"' | '"calling_session_id"'*'"' | '"is_background_agent"'*true) return 1 ;;
      '"source"'*'"resume"') [ -n "$on_resume" ] && continues=1 || return 1 ;;
      '"source"'*'"compact"') continues=1 ;;
      '"source"'*'"fork"') return 1 ;;
    esac
  done <"$file"
}

pointer() { # <folder below briefs>: finds its brief
  [ -f "$root/briefs/$1/.brief" ] && read -r brief <"$root/briefs/$1/.brief" && [ -s "$root/briefs/$brief.json" ]
}

origin() { # <git config>: finds the brief of the remote, which may be a folder, for a clone that is new
  [ -f "$1" ] || return 1
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
    /* | file:///*)
      url=${value#file://}
      url=${url%/}
      pointer "folders${url%/.git}"
      ;;
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

find_brief() { # of this folder, else of the repository around it, of its main worktree, of its remote
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

compose_brief() { # the session itself is part of the prepared brief, so the program leaves it out
  [ -f "$cli" ] && [ -z "$RECOLLECT_PROBE" ] || return
  [ -x "$node" ] || node=node
  text=$(
    RECOLLECT_HOME=$root NODE_OPTIONS='' "$node" "$cli" brief --hook "$agent" <"$file" &
    wait_for $!
  )
  [ -n "$text" ] && printf '%s%s%s\n' "$before" "$text" "$after"
}

print_kept() { # what the worker has prepared for the summary of this session
  session=
  while read -r field; do
    case $session$field in '"session_id"'*'"')
      session=${field%'"'}
      session=${session##*'"'}
      ;;
    esac
  done <"$file"
  case $session in '' | *[!A-Za-z0-9_-]*) return ;; esac
  [ -f "$root/run/compaction/$agent.$session.txt" ] && cat "$root/run/compaction/$agent.$session.txt"
}

print_brief() {
  # Some agents run their hooks outside of the project. Try a linked folder by its name, then by its real path.
#@folder_variables@
  [ -z "$continues" ] || ! compose_brief || return 0
  find_brief || { cd -P . && find_brief; } || return
  text=
  brief=$root/briefs/$brief
  # The script sets `text` without another process. An earlier version has written the JSON alone.
  if [ -f "$brief.sh" ] && ! [ "$brief.json" -nt "$brief.sh" ]; then . "$brief.sh"; fi
  if [ -n "$text" ]; then
    printf '%s%s%s\n' "$before" "$text" "$after"
    return
  fi
  { # the file is opened before anything is printed: the complete answer or nothing
    printf %s "$before"
    cat
    printf '%s\n' "$after"
  } <"$brief.json"
}

if [ -z "$hint" ]; then
  if takes_brief; then
    if [ -n "$keeps" ]; then print_kept; else print_brief; fi
  fi
  start_worker
  exit 0
fi

# A hint, if the user wants that: what helped with this error before, or a decision about this file. It was prepared beside
# the brief; nothing else is read or stored, except that it was told.
find_brief || { cd -P . && find_brief; } || exit 0
hints=$root/briefs/$brief.fixes
[ "$event" = failure ] || hints=$root/briefs/$brief.files
[ -s "$hints" ] || exit 0
hook=$$
export before after event root hook
LC_ALL=C awk -F '\t' '
  NR == FNR { hint[++count] = $0; next }
  { payload = payload $0 }
  function value(key) { # of a string in the payload, as JSON has it
    if (!match(payload, "\"" key "\"[ ]*:[ ]*\"([^\"\\\\]|\\\\.)*\"")) return ""
    found = substr(payload, RSTART, RLENGTH - 1)
    sub(/^"[a-z_]*"[ ]*:[ ]*"/, "", found)
    return found
  }
  function runs(command, program,  at) { # as a word of its own
    while ((at = index(command, program)) > 0) {
      if (at == 1 || substr(command, at - 1, 1) ~ /[ \/;&|("]/) return 1
      command = substr(command, at + 1)
    }
    return 0
  }
  function has_all(text, phrases,  part, i) {
    for (i = split(phrases, part, "\001"); i > 0; i--) if (!index(text, part[i])) return 0
    return 1
  }
  function ends_with(path, name) {
    return path == name || substr(path, length(path) - length(name)) == "/" name
  }
  function edits(place, name) {
    if (path != "") return place == "any" ? ends_with(path, name) : path == cwd "/" name
    # In a patch the path, which may be absolute, is followed by the end of its line.
    if (place == "any" && index(payload, "/" name "\\n")) return 1
    return index(payload, " File: " name "\\n") || index(payload, " File: " cwd "/" name "\\n")
  }
  END {
    session = value("session_id")
    if (session !~ /^[A-Za-z0-9_-]+$/) exit
    told = ENVIRON["root"] "/run/told/" session ".hints"
    while ((getline line <told) > 0) {
      split(line, note, "\t")
      seen[note[1]] = 1
    }
    close(told)
    if ("*" in seen) exit # the user said to ignore memory
    if (ENVIRON["event"] == "failure") {
      start = index(payload, "\"error\"")
      if (!start) start = index(payload, "\"tool_response\"")
      if (!start) exit
      text = tolower(substr(payload, start))
      command = tolower(value("command"))
    } else {
      path = value("file_path")
      cwd = value("cwd")
    }
    for (i = 1; i <= count; i++) {
      split(hint[i], field, "\t")
      if (field[1] in seen) continue
      if (ENVIRON["event"] == "failure") {
        if (!runs(command, field[2]) || !has_all(text, field[3])) continue
      } else if (!edits(field[2], field[3])) continue
      # First noted, then told: what cannot be noted would be told every time. Of several hooks at once
      # the one tells it whose note is the first.
      print field[1] "\t" ENVIRON["hook"] >>told
      close(told)
      while ((getline line <told) > 0) {
        split(line, note, "\t")
        if (note[1] != field[1]) continue
        if (note[2] != ENVIRON["hook"]) exit
        break
      }
      print ENVIRON["before"] field[4] ENVIRON["after"]
      exit
    }
  }' "$hints" - <&3 3<&- &
wait_for $!
