/** What the bench asks a node of its cluster. */

/** How many connections each pool of a node has. */
export const poolSize = 10

/** The schema of the raw statements. Its tables are those of the backend. */
export const rawSchema = 'raw'

/** How long a life of the model `polled` takes on an idle machine, in milliseconds. */
export const polledLifeMs = 2100

/** How many statements a life of the model `polled` takes: 5 writes and 2 reads. */
export const statementsOfPolledLife = 7

export type ClusterModel = 'at-once' | 'polled' | 'long' | 'called'

/** For how long something is measured, in milliseconds. */
export interface MeasuredTime {
  /** The time before. */
  readonly warmMs: number
  readonly measuredMs: number
}

export type ClusterQuestion =
  | { readonly do: 'origins' | 'done at' }
  | { readonly do: 'record'; readonly model: ClusterModel }
  | { readonly do: 'readable'; readonly count: number }
  | ({ readonly do: Contest; readonly atATime: number } & MeasuredTime)
  | { readonly do: 'call back'; readonly origin: string; readonly afterMs: number }

/** What is measured in jobs a second: whole lives or creates, through a node or by raw statements. */
export type Contest = 'lives' | 'creates' | 'raw lives' | 'raw creates'

export interface NodeOrigins {
  readonly ours: string
  readonly bare: string
}
