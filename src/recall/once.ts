/** Computes the value of each key on first use and keeps it; beyond `limit` keys it begins again. */
export function once<Key, Value>(read: (key: Key) => Value, limit = Number.POSITIVE_INFINITY): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (!known.has(key)) {
      if (known.size >= limit) known.clear()
      known.set(key, read(key))
    }
    return known.get(key)!
  }
}
