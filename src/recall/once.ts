/** Computes the value of each key on first use and keeps it. */
export function once<Key, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, read(key))
    return known.get(key)!
  }
}

/** The same with a limit: then it begins again. */
export function onceLimited<Key, Value>(read: (key: Key) => Value, limit: number): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    let value = known.get(key)
    if (value !== undefined) return value
    if (known.size >= limit) known.clear()
    value = read(key)
    known.set(key, value)
    return value
  }
}
