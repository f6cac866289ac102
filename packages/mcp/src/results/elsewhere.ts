const header = 'genmount-elsewhere'

/** Stands for a file that is not with the service, and is not fetched: only its address is known. */
export function elsewhereResponse(): Response {
  return new Response(null, { headers: { [header]: 'true' } })
}

/** Whether it stands for a file that was not fetched. */
export function isElsewhere({ headers }: Response): boolean {
  return headers.has(header)
}
