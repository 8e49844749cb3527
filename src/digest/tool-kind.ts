// What a tool is for, whatever the agent calls it: Bash, shell, exec_command and run_terminal_cmd are one thing.

/** A kind where the name is known, `mcp <server>` for tools of a server, else the name in small letters. */
export function toolKind(tool: string): string {
  const name = tool.slice(0, 100).toLowerCase()
  const server = /^mcp__(.+?)__/.exec(name)?.[1]
  if (server) return `mcp ${server}`
  return kinds.get(name.replace(/[_\s-]/g, '')) ?? name
}

const kinds = new Map(
  Object.entries({
    shell:
      'bash shell execcommand shellcommand runshellcommand runcommand runterminalcmd runterminalcommand powershell execute executecommand localshell terminal developershell',
    read: 'read readfile readmanyfiles view viewfile cat notebookread readfiles openfile',
    edit: 'edit multiedit write writefile writetofile replace replaceinfile strreplace strreplaceeditor strreplacebasededittool applypatch patch create createfile editfile searchreplace notebookedit applydiff insert editor texteditor',
    search:
      'grep glob search searchfiles searchfilecontent codebasesearch grepsearch filesearch findfiles find ls list listdir listdirectory listfiles lsp',
    web: 'websearch webfetch fetch googlewebsearch fetchurl',
    subagent: 'task agent spawnagent createsubsession delegate newtask subagent',
    'task list':
      'todowrite todoread updateplan taskcreate taskupdate tasklist taskget writetodos todo updatetodolist markchapter',
    waiting: 'writestdin taskoutput bashoutput readbash stopbash taskstop killshell killbash wait waitagent',
    'tool search': 'toolsearch skill listmcpresources readmcpresource listmcptools',
    question:
      'askuserquestion askuser askfollowupquestion exitplanmode enterplanmode requestuserinput attemptcompletion',
  }).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
)
