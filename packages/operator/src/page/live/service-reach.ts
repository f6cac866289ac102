import { createStore } from '@genmount/page-kit/page'

/** Whether the service answers, and when it has answered last, in milliseconds since the Unix epoch. */
interface Reach {
  readonly lostAt: number | undefined
  readonly answeredAt: number | undefined
}

const store = createStore<Reach>({ lostAt: undefined, answeredAt: undefined })

export const serviceReach = {
  store,
  answer: () => store.change({ lostAt: undefined, answeredAt: Date.now() }),
  lose: () => store.change({ lostAt: store.state.lostAt ?? Date.now() }),
}
