const header = 'genmount-elsewhere'

/** Makes the response for a file that is outside the service and is not fetched, so that only its address is known. */
export function elsewhereResponse(): Response {
  return new Response(null, { headers: { [header]: 'true' } })
}

/** Whether the response comes from {@link elsewhereResponse}. */
export function isElsewhere({ headers }: Response): boolean {
  return headers.has(header)
}
