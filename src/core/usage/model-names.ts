// One name for a model, whatever an agent, a provider or a date added to it.

/**
 * `claude-sonnet-4-5` for `anthropic/claude-sonnet-4.5`, `claude-sonnet-4-5-20250929`,
 * `claude-sonnet-4-5@20250929` (Vertex), `us.anthropic.claude-sonnet-4-5-20250929-v1:0` (Bedrock) and
 * `claude-sonnet-4-5[1m]`.
 */
export function modelName(model: string): string {
  const name = listName(model)
  const undated = name.replace(/[-@](?:20\d{6}|20\d\d-\d\d-\d\d)(?=-fast$|$)/, '').replace(/(?:@default|-latest)$/, '')
  return undated || model
}

/**
 * The name as price lists write it, with its date: prices of dated versions may differ. Some agents
 * record the name for display only: `Gemini 3.5 Flash (High)`.
 */
export function listName(model: string): string {
  const name = model.replace(/^.*\//s, '').replace(/ ?(?:\[.*\]|\(.*\))$/s, '')
  const bare = (name.includes(' ') ? name.replaceAll(' ', '-').toLowerCase() : name)
    .replace(/^(?:[a-z-]+\.)*(?=anthropic\.claude-)anthropic\./, '')
    .replace(/(?<=^claude-.*)-v\d+(?::\d+)?$/, '')
  return /^claude-/.test(bare) ? bare.replace(/(\d)\.(?=\d)/g, '$1-') : bare
}

/** Marks responses that were paid for as fast: the same model at another price. */
export function fastName(model: string): string {
  return `${model}-fast`
}

/** The model without the mark; undefined if it has none. Names of other vendors end like that too. */
export function modelOfFast(name: string): string | undefined {
  return /^((?:claude|gpt)-.*)-fast$/.exec(name)?.[1]
}
