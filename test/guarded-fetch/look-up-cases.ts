import assert from 'node:assert/strict'
import { lookup } from 'node:dns/promises'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GuardedFetchOptions } from '@genmount/guarded-fetch'
import { createGuardedFetch } from '../../packages/guarded-fetch/src/node/guarded-fetch.ts'
import { createLookUp, type LookUpOptions } from '../../packages/guarded-fetch/src/lookup/look-up.ts'
import { allowAddress, picture, reasonOf, refusalOf, sendPicture } from './fetch-world.ts'
import { loopbackDns, type LoopbackDns } from './loopback-dns.ts'
import { loopbackOrigin } from './loopback-origin.ts'

/** A guarded fetch that asks this DNS server, and reads no hosts file of this machine unless one is given. */
function fetchBy(dns: LoopbackDns, options: LookUpOptions = {}) {
  const none = '/nonexistent/genmount'
  const lookUp = createLookUp({ servers: [dns.server], hostsFile: none, resolverFile: none, ...options })
  const fetch = createGuardedFetch({ lookUp })
  return (url: string, more?: GuardedFetchOptions) =>
    fetch(url, { allowAddress, timeoutMs: 600_000, ...more })
}

async function temporaryFile(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'genmount-'))
  const file = join(folder, 'file')
  await writeFile(file, text)
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const deadNames = (count: number) => Array.from({ length: count }, (_, i) => `dead${i}.test`)

/** How names are looked up. */
export const lookUpCases = {
  async 'fetches from other hosts while twenty names wait for a DNS server that never answers'() {
    await using origin = await loopbackOrigin(sendPicture)
    await using dns = await loopbackDns({ 'a.test': ['127.0.0.1'] })
    const fetch = fetchBy(dns)
    const leaver = new AbortController()
    let ended = 0
    const dead = deadNames(20).map((name) =>
      fetch(`http://${name}:${origin.port}/`, { signal: leaver.signal }).finally(() => ended++),
    )
    const outcomes = Promise.allSettled(dead)
    await dns.untilQueried(20)
    assert.deepEqual(await (await fetch(origin.url)).bytes(), picture)
    // The rest of the process can look names up too: the hanging look-ups take none of its threads.
    await lookup('localhost')
    assert.equal(ended, 0)
    leaver.abort('left')
    for (const outcome of await outcomes) assert.deepEqual(outcome, { status: 'rejected', reason: 'left' })
  },

  async 'fails as retryable when DNS does not answer for a name in time'() {
    await using dns = await loopbackDns({})
    const refusal = await refusalOf(fetchBy(dns, { limitMs: 100 })('http://dead.test/'))
    assert.deepEqual([refusal.reason, refusal.retryable], ['network', true])
    assert.match(refusal.message, /ETIMEOUT/)
  },

  async 'looks up only as many names at a time as there are places, and each free place goes to the next in line'() {
    await using origin = await loopbackOrigin(sendPicture)
    await using dns = await loopbackDns({ 'a.test': ['127.0.0.1'] })
    const fetch = fetchBy(dns, { places: 2, limitMs: 600_000 })
    const leavers = deadNames(4).map(() => new AbortController())
    const dead = deadNames(4).map((name, i) =>
      fetch(`http://${name}/`, { signal: leavers[i]?.signal }).catch((reason: unknown) => reason),
    )
    const alive = fetch(origin.url)
    await dns.untilQueried(2)
    leavers[3]?.abort('left the line')
    assert.equal(await dead[3], 'left the line')
    assert.deepEqual([...dns.queried].toSorted(), ['dead0.test', 'dead1.test'])
    leavers[0]?.abort('left')
    assert.equal(await dead[0], 'left')
    await dns.untilQueried(3)
    assert.ok(dns.queried.has('dead2.test') && !dns.queried.has('a.test'))
    leavers[1]?.abort('left')
    await (await alive).bytes()
    leavers[2]?.abort('left')
    await Promise.all(dead)
    assert.ok(!dns.queried.has('dead3.test'))
  },

  async 'looks a name up for one owner while twenty names of another owner wait for DNS'() {
    await using origin = await loopbackOrigin(sendPicture)
    await using dns = await loopbackDns({ 'a.test': ['127.0.0.1'] })
    const fetch = fetchBy(dns, { places: 8, limitMs: 600_000 })
    const leaver = new AbortController()
    let ended = 0
    const dead = deadNames(20).map((name) =>
      fetch(`http://${name}/`, { signal: leaver.signal, owner: 'alice' }).finally(() => ended++),
    )
    const outcomes = Promise.allSettled(dead)
    await dns.untilQueried(4)
    const answer = await fetch(origin.url, { owner: 'bob' })
    assert.deepEqual(await answer.bytes(), picture)
    assert.deepEqual([ended, dns.queried.size], [0, 5])
    leaver.abort('left')
    await outcomes
  },

  async 'looks names up for owners in turns'() {
    await using dns = await loopbackDns({})
    const fetch = fetchBy(dns, { places: 1, limitMs: 600_000 })
    const leavers = new Map<string, AbortController>()
    const looks = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => {
      const leaver = new AbortController()
      leavers.set(name, leaver)
      const options = { signal: leaver.signal, owner: name.startsWith('a') ? 'alice' : 'bob' }
      return fetch(`http://${name}.test/`, options).catch(() => {})
    })
    for (let count = 1; count <= 5; count++) {
      await dns.untilQueried(count)
      leavers.get([...dns.queried].at(-1)?.slice(0, 2) ?? '')?.abort('left')
    }
    await Promise.all(looks)
    assert.deepEqual(
      [...dns.queried],
      ['a1', 'a2', 'b1', 'a3', 'b2'].map((name) => `${name}.test`),
    )
  },

  async 'refuses private addresses that DNS, the hosts file or localhost lead to'() {
    await using origin = await loopbackOrigin(sendPicture)
    await using hosts = await temporaryFile('127.0.0.2 inside.test\n::1 inside.test six.test\n')
    await using dns = await loopbackDns({ 'private.test': ['127.0.0.2', '10.0.0.1', '169.254.169.254'] })
    const fetch = fetchBy(dns, { hostsFile: hosts.file })
    for (const host of ['private.test', 'inside.test', 'six.test']) {
      assert.equal(await reasonOf(fetch(`http://${host}:${origin.port}/`)), 'address', host)
    }
    for (const host of ['localhost', 'a.localhost', 'localhost.']) {
      const url = `http://${host}:${origin.port}/`
      assert.equal(await reasonOf(fetch(url, { allowAddress: () => false })), 'address', host)
    }
    assert.deepEqual(origin.connections, [])
    assert.deepEqual([...dns.queried], ['private.test'])
  },

  async 'finds a name in the hosts file, also after the file has changed'() {
    await using origin = await loopbackOrigin(sendPicture)
    await using hosts = await temporaryFile(
      '# 127.0.0.2 a.test\n127.0.0.1\tA.test b.test # c.test\nx a.test\n',
    )
    await using dns = await loopbackDns({ 'c.test': 'unknown' })
    const fetch = fetchBy(dns, { hostsFile: hosts.file })
    for (const host of ['a.test', 'B.test', 'a.test.']) {
      await (await fetch(`http://${host}:${origin.port}/`)).bytes()
    }
    assert.deepEqual([...dns.queried], [])
    assert.equal(await reasonOf(fetch(`http://c.test:${origin.port}/`)), 'network')
    await writeFile(hosts.file, '127.0.0.1 a.test b.test c.test\n')
    await (await fetch(`http://c.test:${origin.port}/`)).bytes()
  },

  async "looks a short name up in the system's search domains, and asks for a name with a dot as it is first"() {
    await using origin = await loopbackOrigin(sendPicture)
    await using resolver = await temporaryFile(
      'search old\nnameserver 192.0.2.1\nsearch one.test two.test .\n',
    )
    await using dns = await loopbackDns({
      'store.one.test': 'unknown',
      'store.two.test': ['127.0.0.1'],
      'a.test': ['127.0.0.1'],
      'store.media': [],
      'store.media.one.test': ['127.0.0.1'],
      'gone.test': 'unknown',
    })
    const fetch = fetchBy(dns, { resolverFile: resolver.file })
    for (const host of ['store', 'a.test', 'store.media']) {
      await (await fetch(`http://${host}:${origin.port}/`)).bytes()
    }
    assert.equal(await reasonOf(fetch('http://gone.test./')), 'network')
    assert.deepEqual(
      [...dns.queried],
      ['store.one.test', 'store.two.test', 'a.test', 'store.media', 'store.media.one.test', 'gone.test'],
    )
  },
}
