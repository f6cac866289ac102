import type { CallbackNews, Json, ProviderReport } from '@genmount/core'

/**
 * What `readCallback` of a provider returns for a genuine webhook: the handle, and with it the report if the webhook says
 * that the task has ended. A webhook whose result can't be read still names its task.
 * @param read reads the report from the webhook; it may throw
 */
export function callbackNews(handle: Json, read: () => ProviderReport): Json | CallbackNews {
  try {
    const report = read()
    return report.state === 'succeeded' || report.state === 'failed' ? { handle, report } : handle
  } catch {
    return handle
  }
}
