import { codeOf, isRuntimeRefusal } from './expect-error.ts'
import type { Reply } from './reply.ts'
import type { SuiteRequest } from './request.ts'
import { suiteClient, type HttpSubject } from './suite-client.ts'
import { endless, quick } from './suite-jobs.ts'

const json = JSON.stringify(quick)

/**
 * Requests for which the documents allow more than one answer. `ID` is replaced by the id of a processing
 * job. Paths with dot segments are not here, because some runtimes resolve them and some do not.
 */
const oddRequests: readonly SuiteRequest[] = [
  ...[
    '//v1//jobs/ID',
    '//v1/jobs/ID',
    '/v1//jobs/ID',
    '/v1/jobs//ID',
    '/v1/jobs/ID/',
    '/v1/jobs/ID//',
    '/v1/jobs/ID/..',
    '/v1/jobs/ID/.',
    '/v1/../jobs/ID',
    '/v1/j%6fbs/ID',
    '/%761/jobs/ID',
    '/v1%2fjobs%2fID',
    '/v1/jobs/%67en_x',
    '/v1/jobs/ID%00',
    '/v1/jobs/ID%20',
    '/v1/jobs/ID%2f',
    '/v1/jobs/ID%3fx',
    '/v1/jobs/%E0%A4%A',
    '/v1/jobs/%',
    '/v1/files/%E0%A4%A',
    '/v1/outputs/%E0%A4%A',
    '/v1/jobs/ID;x=1',
    '/v1/jobs/ID,',
    '/v1/jobs/ID:get',
    '/V1/JOBS/ID',
    '/v1/Jobs/ID',
    '/v1',
    '/v1/',
    '/v1//',
    '/v1?wait=true',
    '/v1/jobs/ID?wait=maybe',
    '/v1/jobs/ID?n=x&n=y',
    '/v1/files/ID?n=01',
    '/v1/files/ID?n=%2B1',
    '/v1/files/ID?n=-0',
    '/v1/files/ID?N=x',
    '/v1/outputs/',
    '/v1/outputs/x/y',
  ].map((path) => ({ path })),
  ...[
    'wait=true&WAIT=1',
    'wait=%00',
    'wait=true#',
    'wait[]=true',
    '?wait=true',
    'wait=true;n=1',
    'wait=%E0%A4%A',
  ].map((query) => ({ path: `/v1/generate?${query}`, body: quick })),
  ...[
    json.replace('{', '{ "prompt": 5,'),
    `${json}\n\n `,
    `${json}\0`,
    '',
    ' ',
    '[]',
    'null',
    '"text"',
    '{}',
    '{"model":{}}',
    '{"model":""}',
    '{"model":"fake-image","prompt":"a kite","constructor":1}',
    '{"model":"fake-image","prompt":"a kite","__proto__":1}',
    '{"model":"fake-image","prompt":"\\ud800"}',
    '{"model":"fake-image","prompt":"\\u0000"}',
  ].map((body) => ({ method: 'POST', path: '/v1/generate', contentType: 'application/json', body })),
  ...[
    'application/json, application/json',
    'application/json;',
    'application/problem+json',
    'text/json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    '*/*',
  ].map((contentType) => ({ path: '/v1/generate', body: quick, contentType })),
  ...(
    [
      [['Content-Encoding', 'identity']],
      [['Content-Encoding', '']],
      [['Content-Type', 'text/plain']],
      [['Idempotency-Key', '']],
      [['Idempotency-Key', '""']],
      [['Idempotency-Key', '"half']],
      [['Idempotency-Key', '\xe9\xe9']],
      [
        ['Idempotency-Key', 'one'],
        ['Idempotency-Key', 'two'],
      ],
      [
        ['Prefer', 'wait=0'],
        ['Prefer', 'wait=0'],
      ],
      [['Prefer', 'wait="0"']],
      [['Prefer', '\xff']],
      [['Transfer-Encoding', 'identity']],
      [
        ['X-Forwarded-Host', 'a'],
        ['X-Forwarded-Host', 'b'],
      ],
    ] as const
  ).map((headers) => ({ path: '/v1/generate', body: quick, headers })),
  ...[
    'Bearer  KEY',
    'Bearer\tKEY',
    'Bearer KEY ',
    ' Bearer KEY',
    'bearer: KEY',
    'Bearer "KEY"',
    'Bearer,Bearer KEY',
  ].map((value): SuiteRequest => ({
    path: '/v1/jobs/ID',
    as: 'nobody',
    headers: [['Authorization', value]],
  })),
  ...['OPTIONS', 'HEAD', 'PUT', 'PROPFIND', 'POST'].flatMap((method): SuiteRequest[] => [
    { method, path: '/v1/generate', as: 'nobody' },
    { method, path: '/v1/outputs/x', as: 'nobody' },
    { method, path: '/v1/outputs/x' },
    { method, path: '/v1/nothing', as: 'nobody' },
    { method, path: '/v1' },
  ]),
  { method: 'OPTIONS', path: '*' },
  { path: '/v1/jobs/ID', version: 'HTTP/1.0' },
  { path: '/v1/jobs/ID', headers: [['Authorization', 'Bearer KEY']] },
  { path: 'http://evil.example/elsewhere' },
  { path: 'http://evil.example//v1/jobs/ID' },
  { path: 'http://evil.example' },
]

/** The verdict for a request that the runtime has answered itself, before it reached the service. */
export const runtimeVerdict = 'the runtime'

/**
 * Sends unusual requests to the server and describes each answer in a few words, such as `404 job_not_found`. All hosts
 * must have the same verdicts, except for requests that the runtime of a host refuses itself: their verdict is
 * `runtimeVerdict`.
 * @returns the verdicts by the requests, which are written as JSON
 */
export async function httpVerdicts(subject: HttpSubject): Promise<ReadonlyMap<string, string>> {
  const client = suiteClient(subject)
  const { id } = await client.create(endless)
  const fillIn = (text: string) => text.replace('ID', id).replace('KEY', subject.keys.alice)

  function verdict(reply: Reply | undefined): string {
    if (reply && subject.foreignBody !== undefined && reply.text === subject.foreignBody)
      return '404 route_not_found'
    if (isRuntimeRefusal(reply)) return runtimeVerdict
    const allow = reply?.headers.get('allow')
    return [reply?.status, codeOf(reply), allow].filter((word) => word !== undefined).join(' ')
  }

  const verdicts = new Map<string, string>()
  for (const request of oddRequests) {
    const headers = request.headers?.map(([name, value]) => [name, fillIn(value)] as const) ?? []
    const reply = await client.attempt({ ...request, path: fillIn(request.path), headers })
    verdicts.set(JSON.stringify(request), verdict(reply))
  }
  return verdicts
}
