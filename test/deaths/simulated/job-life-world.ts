import type { Capabilities, Command } from './job-life-commands.ts'
import { type LifeNode, startNode } from './job-life-node.ts'
import { type Answered, type LifeState, lifeState } from './job-life-state.ts'
import type { MortalProcess } from './mortal-process.ts'
import type { OpenStore } from './simulated-world.ts'

export type JobLifeWorld = ReturnType<typeof jobLifeWorld>

/** How long a process that closes waits at most for its last writes, in milliseconds. */
const waitsForMs = 60_000
const closesWithinMs = 15 * 60_000

/** Two processes on one store that obey commands. */
export function jobLifeWorld(offers: Capabilities, openStore: OpenStore, stepMs: number) {
  const state = lifeState(offers, openStore, stepMs)
  const { world, deleted, answered, submitTokens, lostHands, breaches } = state
  const { clock, pass } = world
  const nodes: [LifeNode, LifeNode] = [startNode(state), startNode(state)]
  const stored = (id: string) => world.jobs.get(id)

  function isKept({ process, failed }: Answered, submitToken: string | undefined): boolean {
    return !lostHands.has(process) && (failed === undefined || failed === submitToken)
  }

  /** After a clock that was set ahead, the next try to delete files may be 6 hours away. */
  async function passPutOffDeletions(): Promise<void> {
    const rows = await Promise.all([...deleted].map(stored))
    const latest = Math.max(...rows.map((row) => row?.deleteAt ?? 0))
    if (latest < clock.now()) return
    clock.set(latest)
    await pass(75_000)
  }

  /** Closes a process. @returns how long that took, in milliseconds */
  async function close({ process }: LifeNode): Promise<number> {
    const beganAt = clock.uptime()
    const closing = { hasEnded: false }
    void process.service.close().then(() => (closing.hasEnded = true))
    for (let passedMs = 0; !closing.hasEnded && passedMs < closesWithinMs; passedMs += 10_000)
      await pass(10_000)
    if (!closing.hasEnded) breaches.push('a process did not close')
    return clock.uptime() - beganAt
  }

  async function obey(step: Command): Promise<void> {
    const index = step.node as 0 | 1
    const node = nodes[index]
    if (step.do === 'restart') {
      // A process in trouble need not wait for answers that it can not get.
      if (isInTrouble(node.process)) lostHands.add(node.process)
      if ((await close(node)) > waitsForMs) lostHands.add(node.process)
      nodes[index] = startNode(state)
    } else if (step.do === 'crash') {
      node.process.kill()
      lostHands.add(node.process)
      nodes[index] = startNode(state)
    } else await act(step, node, state)
  }

  return {
    ...state,
    clock,
    vendor: world.vendor,
    /**
     * The ids of jobs for which a process had the answer to a submit, if this process was never killed nor
     * closed in trouble. That a submit has failed tells nothing about another submit that began later.
     */
    inLivingHands: () =>
      new Set([...answered].flatMap(([id, answer]) => (isKept(answer, submitTokens.get(id)) ? id : []))),
    /** Reads a job from the store. @returns `undefined` for a deleted job */
    stored,
    obey,
    /** Ends all troubles, lets a quarter of an hour pass, and the pauses of deletions, and closes the processes. */
    async heal() {
      // This is longer than any freeze and any outage.
      await pass(75_000)
      await pass(900_000)
      await passPutOffDeletions()
      for (const node of nodes) await close(node)
    },
    /** Frees what the store and the processes hold. */
    end: world.close,
  }
}

/** Obeys a command that does not end the process. */
async function act(step: Command, node: LifeNode, state: LifeState): Promise<void> {
  const { world, created, finishedTasks, heard, deleted } = state
  const { clock, pass, vendor } = world
  const { service } = node.process
  const id = 'job' in step ? (created[step.job]?.id ?? 'gen_0') : 'gen_0'
  switch (step.do) {
    case 'create':
      return create(step, node, state)
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
      unwatched(service.delete(id, 'alice').then(() => deleted.add(id)))
      return pass(200)
    case 'callback': {
      const jobId = finishedTasks.at(-1 - (step.job % Math.max(1, finishedTasks.length)))
      if (jobId === undefined) return
      const accepted = service.receiveCallback(jobId, vendor.callbackFor(jobId))
      unwatched(accepted.then((isAccepted) => isAccepted && heard.add(jobId)))
      return pass(200)
    }
    case 'forged callback': {
      const forged = { headers: {}, body: new TextEncoder().encode('{"handle":"mine"}') }
      unwatched(service.receiveCallback(id, forged))
      return pass(0)
    }
    case 'freeze':
      return void node.freeze(step.ms, step.isAtWrite)
    case 'outage':
      return void node.outage(step)
  }
}

async function create(
  step: Extract<Command, { do: 'create' }>,
  { process }: LifeNode,
  { world, scripts, created }: LifeState,
): Promise<void> {
  const prompt = step.key === undefined ? `job ${scripts.size}` : `key ${step.key}`
  scripts.set(prompt, step.script)
  const idempotency = step.key === undefined ? {} : { idempotency: { key: String(step.key), scope: 's' } }
  const creating = { hasEnded: false }
  void process.service
    .create({ owner: 'alice', model: 'fake-image', input: { prompt }, ...idempotency })
    .then(
      ({ job, replayed }) => void (replayed || created.push(job)),
      // When the create is refused, there is no job.
      () => {},
    )
    .finally(() => (creating.hasEnded = true))
  // The hash of the key is computed on another thread, for which the clock does not wait. Meanwhile a
  // write of another job may freeze the process, and then the create gets its answer only later.
  while (!creating.hasEnded && !process.isFrozen && process.storeTrouble === 'none') await world.pass(0)
  await world.pass(0)
}

function isInTrouble({ isFrozen, storeTrouble, areFilesAway }: MortalProcess): boolean {
  return isFrozen || storeTrouble !== 'none' || areFilesAway
}

/** Ignores the outcome of a request, because this test does not check what clients are told. */
function unwatched(request: Promise<unknown>): void {
  request.catch(() => {})
}
