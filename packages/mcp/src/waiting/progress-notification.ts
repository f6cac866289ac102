import type { ProgressToken } from '@modelcontextprotocol/server'

/** Makes the message that tells a client the progress of its call, from 0 to 1. */
export function progressNotification(progressToken: ProgressToken, progress: number, message: string) {
  return {
    method: 'notifications/progress',
    params: { progressToken, progress, total: 1, message },
  } as const
}
