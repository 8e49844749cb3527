/** Files in docs, in the order of the help. */
export const guides = [
  ...['install', 'sessions', 'cost', 'recall', 'learning', 'hooks', 'mcp', 'page', 'wiki', 'patterns'],
  ...['team', 'import', 'export', 'agents', 'security', 'scaling'],
] as const
