/** A value that this tab keeps until it is closed, even through a reload. Other tabs do not see it. */
export interface KeptValue<Value> {
  read(): Value | undefined
  write(value: Value | undefined): void
}

/** @param name the name of the page, a dot, and the name of the value */
export function keptValue<Value>(name: string): KeptValue<Value> {
  const key = `genmount.${name}`
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
