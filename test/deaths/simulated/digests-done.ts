const underWay = new Set<Promise<unknown>>()

const { subtle } = crypto
const digest = subtle.digest.bind(subtle)
subtle.digest = (...args) => {
  const computed = digest(...args)
  underWay.add(computed)
  const forget = () => void underWay.delete(computed)
  computed.then(forget, forget)
  return computed
}

/**
 * Resolves when all digests that were requested before are computed. They are computed on other threads, for
 * which a manual clock does not wait: on a busy machine hours of its time could pass meanwhile.
 */
export async function digestsDone(): Promise<void> {
  await Promise.allSettled(underWay)
}
