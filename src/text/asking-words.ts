/** Words that say what a question asks for, not what it is about: "root cause of", "what did we decide about". */
export const askingWords =
  'root cause causes caused reason culprit explanation diagnosis fix fixed fixes solution solve solved workaround resolve decide decided decision agree agreed agreement policy convention rule problem issue bug happen happened wrong broke break get rid remedy repair choose chose pick prefer'
