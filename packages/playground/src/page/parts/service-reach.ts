import { createStore } from '@genmount/page-kit/page'

/** Whether the service has answered the latest request. */
export const serviceReach = createStore({ isLost: false })

/** The statuses with which a proxy says that the server behind it does not answer. */
const awayStatuses: readonly number[] = [502, 504]

/** `fetch` of the browser, which notes whether the service answers. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init)
    note(awayStatuses.includes(response.status))
    return response
  } catch (error) {
    // A download follows redirects to other servers, so that its error says nothing about the service.
    if (init?.redirect !== 'follow' && !init?.signal?.aborted) note(true)
    throw error
  }
}

function note(isLost: boolean): void {
  if (isLost !== serviceReach.state.isLost) serviceReach.change({ isLost })
}
