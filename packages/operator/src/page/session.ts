import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Api } from './api/api.ts'
import type { Overview } from './api/wire.ts'

/** What every view needs: the routes with the operator's key, and how the service is. */
export interface Session {
  readonly api: Api
  readonly overview: Overview
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  return useContext(SessionContext)!
}
