import { media } from '../../../media.ts'

/** Vercel calls this as `vercel.json` says, with `CRON_SECRET` as the bearer token. */
export const GET = (request: Request) => media().cron(request)
