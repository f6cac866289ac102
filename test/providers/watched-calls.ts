import type { Provider } from '@genmount/core'

/** Counts the calls of a provider that have not come back. */
export function watchedCalls(provider: Provider) {
  let underWay = 0
  async function watch<Value>(call: Promise<Value>): Promise<Value> {
    underWay++
    return call.finally(() => underWay--)
  }
  const { find, cancel } = provider
  const watched: Provider = {
    ...provider,
    submit: (...asked) => watch(provider.submit(...asked)),
    poll: (...asked) => watch(provider.poll(...asked)),
    ...(find && { find: (...asked) => watch(find(...asked)) }),
    ...(cancel && { cancel: (...asked) => watch(cancel(...asked)) }),
  }
  return { provider: watched, underWay: () => underWay }
}
