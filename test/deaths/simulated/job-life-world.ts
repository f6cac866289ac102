import {
  type Backend,
  checkInstants,
  type Clock,
  isFinished,
  type Job,
  type JobStore,
  type Provider,
} from '@genmount/core'
import type { Capabilities, Command, Script } from './job-life-commands.ts'
import { wrongMoves } from './job-life-rules.ts'
import type { MortalProcess, SharedStore } from './mortal-process.ts'
import { type OpenStore, type SimulatedWorld, startWorld } from './simulated-world.ts'

type Outage = Extract<Command, { do: 'outage' }>

/** One of the two processes, and the troubles that wait for a moment of its work. */
interface LifeNode {
  process: MortalProcess
  /** For how long it stands still after its next write. */
  freezeMs?: number | undefined
  /** What it can not reach after the next answer to a submit. */
  outage?: Outage | undefined
}

/** Two processes on one store that obey commands, and everything that is known about what they did. */
export class JobLife {
  readonly world: SimulatedWorld
  readonly created: Job[] = []
  /** The finished jobs, as they were stored last. */
  readonly ends = new Map<string, Job>()
  /** The ids of jobs about which a genuine callback was accepted. */
  readonly heard = new Set<string>()
  /** The ids of jobs whose owner was told that they are deleted. */
  readonly deleted = new Set<string>()
  readonly breaches: string[] = []
  readonly #nodes: [LifeNode, LifeNode]
  /** What happens to the submits of each job, by its prompt. */
  readonly #scripts = new Map<string, Script>()
  /** The ids of the jobs whose vendor has finished a task and sends a callback about it. */
  readonly #finishedTasks: string[] = []
  /** The token of the latest submit of each job. */
  readonly #submitTokens = new Map<string, string | undefined>()
  /** The process that has the answer to a submit of each job, and the token of the submit if it has failed. */
  readonly #answered = new Map<string, { process: MortalProcess; failed?: string | undefined }>()
  /** The processes that were killed or closed in trouble. */
  readonly #lostHands = new Set<MortalProcess>()

  /** @param stepMs the longest step in which time passes, in milliseconds */
  constructor({ sendsCallbacks, knowsEnds, ...offers }: Capabilities, openStore: OpenStore, stepMs: number) {
    this.world = startWorld(() => this.#watched(openStore()), {
      vendor: {
        ...offers,
        ...(sendsCallbacks && { sendCallback: (jobId: string) => this.#finishedTasks.push(jobId) }),
        latencyMs: 150,
        behave: ({ input }, attempt) => this.#scriptOf(input).attempts[attempt - 1] ?? {},
      },
      service: { retentionDays: 1, deadlineMs: 300_000 },
      knowsEnds,
      stepMs,
    })
    this.#nodes = [this.#start(), this.#start()]
  }

  /** Reads a job from the store. @returns `undefined` for a deleted job */
  stored(id: string): Promise<Job | undefined> {
    return this.world.jobs.get(id)
  }

  /**
   * Whether a process had the answer to a submit of the job, and was never killed nor closed in trouble. That a submit has
   * failed tells nothing about another submit that began later.
   */
  isInLivingHands(id: string): boolean {
    const answer = this.#answered.get(id)
    if (!answer || this.#lostHands.has(answer.process)) return false
    return answer.failed === undefined || answer.failed === this.#submitTokens.get(id)
  }

  async obey(step: Command): Promise<void> {
    const { clock, pass, vendor } = this.world
    const node = this.#nodes[step.node as 0 | 1]
    const { service } = node.process
    const id = ('job' in step && this.created[step.job]?.id) || 'gen_0'
    switch (step.do) {
      case 'restart':
        // A process in trouble need not wait for answers that it can not get.
        if (isInTrouble(node.process)) this.#lostHands.add(node.process)
        // A process that closes waits for its last writes for a minute at most.
        if ((await this.#close(node)) > 60_000) this.#lostHands.add(node.process)
        return this.#replace(step.node)
      case 'crash':
        node.process.kill()
        this.#lostHands.add(node.process)
        return this.#replace(step.node)
      case 'create':
        return this.#create(step, node.process)
      case 'pass':
        return pass(step.ms)
      case 'set clock':
        clock.set(clock.now() + step.byMs)
        return pass(0)
      case 'a day later':
        clock.set(clock.now() + 86_400_000)
        return pass(10_000)
      case 'read':
        unwatched(service.get(id, 'alice'))
        return pass(200)
      case 'wait':
        unwatched(service.waitFor(id, 'alice'))
        return pass(200)
      case 'cancel':
        unwatched(service.cancel(id, 'alice'))
        return pass(200)
      case 'delete':
        unwatched(service.delete(id, 'alice').then(() => this.deleted.add(id)))
        return pass(200)
      case 'callback': {
        const tasks = this.#finishedTasks
        const jobId = tasks.at(-1 - (step.job % Math.max(1, tasks.length)))
        if (jobId === undefined) return
        const accepted = service.receiveCallback?.(jobId, vendor.callbackFor(jobId))
        unwatched(accepted?.then((isAccepted) => isAccepted && this.heard.add(jobId)))
        return pass(200)
      }
      case 'forged callback': {
        const forged = { headers: {}, body: new TextEncoder().encode('{"handle":"mine"}') }
        unwatched(service.receiveCallback?.(id, forged))
        return pass(0)
      }
      case 'freeze':
        if (step.isAtWrite) node.freezeMs = step.ms
        else this.#freeze(node, step.ms)
        return
      case 'outage':
        if (step.isAtAnswer) node.outage = step
        else this.#cutOff(node, step)
    }
  }

  /** Ends all troubles, lets a quarter of an hour pass, and the pauses of deletions, and closes the processes. */
  async heal(): Promise<void> {
    const { clock, pass } = this.world
    // This is longer than any freeze and any outage.
    await pass(75_000)
    await pass(900_000)
    // After a clock that was set ahead, the next try to delete files may be 6 hours away.
    const rows = await Promise.all([...this.deleted].map((id) => this.stored(id)))
    const latest = Math.max(...rows.map((row) => row?.deleteAt ?? 0))
    if (latest >= clock.now()) {
      clock.set(latest)
      await pass(75_000)
    }
    for (const node of this.#nodes) await this.#close(node)
  }

  /** The store, with a look at each write. */
  #watched(store: SharedStore): SharedStore {
    const watch = (jobs: JobStore): JobStore => ({
      ...jobs,
      due: (now, ...rest) => jobs.due(this.#whole('due', now), ...rest),
      expired: (now, limit) => jobs.expired(this.#whole('expired', now), limit),
      findByIdempotencyKey: (key, now) => jobs.findByIdempotencyKey(key, this.#whole('key', now)),
      insert: (job) => {
        this.#lookAtInstants(job)
        this.#submitTokens.set(job.id, job.submitToken)
        return jobs.insert(job)
      },
      replace: async (next, expectedRevision) => {
        this.#lookAtInstants(next)
        const before = await jobs.get(next.id)
        const outcome = await jobs.replace(next, expectedRevision)
        if (outcome === 'stale' || !before) return outcome
        this.breaches.push(...wrongMoves(before, next))
        this.#submitTokens.set(next.id, next.submitToken)
        if (isFinished(next)) this.ends.set(next.id, next)
        else this.ends.delete(next.id)
        return outcome
      },
    })
    const connect = (clock: Clock): Backend => {
      const backend = store.connect(clock)
      return { ...backend, jobs: watch(backend.jobs) }
    }
    return { ...store, connect }
  }

  #lookAtInstants(job: Job): void {
    try {
      checkInstants(job)
    } catch (error) {
      this.breaches.push(String((error as Error).cause))
    }
  }

  #whole(what: string, at: number): number {
    if (!Number.isSafeInteger(at)) this.breaches.push(`${what} was asked for ${at}`)
    return at
  }

  #scriptOf(input: Readonly<Record<string, unknown>>): Script {
    return this.#scripts.get(String(input['prompt'])) ?? { attempts: [], answerMs: 0 }
  }

  #replace(index: number): void {
    this.#nodes[index as 0 | 1] = this.#start()
  }

  #start(): LifeNode {
    const onStored = () => node.freezeMs !== undefined && this.#freeze(node, node.freezeMs)
    const wrap = (provider: Provider): Provider => ({
      ...provider,
      submit: async (task, call) => {
        const submitToken = this.#submitTokens.get(task.jobId)
        const report = await provider.submit(task, call)
        await this.#after(this.#scriptOf(task.input).answerMs)
        if (node.outage) this.#cutOff(node, node.outage)
        const failed = report.state === 'failed' ? submitToken : undefined
        if (['running', 'succeeded', 'failed'].includes(report.state))
          this.#answered.set(task.jobId, { process: node.process, failed })
        return report
      },
      poll: async (task, call) => {
        const report = await provider.poll(task, call)
        await this.#after(this.#scriptOf(task.input).answerMs)
        return report
      },
    })
    const node: LifeNode = { process: this.world.start(onStored, { wrap }) }
    return node
  }

  async #after(ms: number): Promise<void> {
    if (ms > 0) await new Promise<void>((resolve) => this.world.clock.after(ms, resolve))
  }

  #freeze(node: LifeNode, ms: number): void {
    const { process } = node
    node.freezeMs = undefined
    process.freeze()
    this.world.clock.after(ms, () => void process.thaw())
  }

  #cutOff(node: LifeNode, { store, ms }: Outage): void {
    const { process } = node
    node.outage = undefined
    const setAway = (isAway: boolean) => {
      if (store === 'jobs') process.storeTrouble = isAway ? 'away' : 'none'
      else process.areFilesAway = isAway
    }
    setAway(true)
    this.world.clock.after(ms, () => setAway(false))
  }

  async #create({ script, key }: Extract<Command, { do: 'create' }>, process: MortalProcess): Promise<void> {
    const prompt = key === undefined ? `job ${this.#scripts.size}` : `key ${key}`
    this.#scripts.set(prompt, script)
    const idempotency = key === undefined ? {} : { idempotency: { key: String(key), scope: 's' } }
    const creating = { hasEnded: false }
    const created = process.service
      .create({ owner: 'alice', model: 'fake-image', input: { prompt }, ...idempotency })
      .then(({ job, replayed }) => void (replayed || this.created.push(job)))
    // When the create is refused, there is no job.
    unwatched(created.finally(() => (creating.hasEnded = true)))
    // The hash of the key is computed on another thread, for which the clock does not wait. Meanwhile a
    // write of another job may freeze the process, and then the create gets its answer only later.
    while (!creating.hasEnded && !process.isFrozen && process.storeTrouble === 'none')
      await this.world.pass(0)
    await this.world.pass(0)
  }

  /** Closes a process. @returns how long that took, in milliseconds */
  async #close({ process }: LifeNode): Promise<number> {
    const beganAt = this.world.clock.uptime()
    let isOver = false
    void process.service.close().then(() => (isOver = true))
    if (!(await this.world.passUntil(() => isOver, 15 * 60_000, 10_000)))
      this.breaches.push('a process did not close')
    return this.world.clock.uptime() - beganAt
  }
}

function isInTrouble({ isFrozen, storeTrouble, areFilesAway }: MortalProcess): boolean {
  return isFrozen || storeTrouble !== 'none' || areFilesAway
}

/** Ignores the outcome of a request, because this test does not check what clients are told. */
function unwatched(request: Promise<unknown> | undefined): void {
  request?.catch(() => {})
}
