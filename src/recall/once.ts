/** Computes the value of each key on first use and keeps it. */
export function once<Key, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, read(key))
    return known.get(key)!
  }
}
