/** A value that this tab keeps until it is closed, even through a reload. Other tabs do not see it. */
export interface KeptValue<Value> {
  read(): Value | undefined
  write(value: Value | undefined): void
}

export function keptValue<Value>(name: string): KeptValue<Value> {
  const key = `genmount.playground.${name}`
  return {
    read() {
      try {
        const text = sessionStorage.getItem(key)
        return text === null ? undefined : (JSON.parse(text) as Value)
      } catch {
        // The browser forbids storage, or the stored text is not JSON.
        return undefined
      }
    },
    write(value) {
      try {
        if (value === undefined) sessionStorage.removeItem(key)
        else sessionStorage.setItem(key, JSON.stringify(value))
      } catch {
        // The page works without storage: only a reload loses the value.
      }
    },
  }
}
