import { jobResult } from '../results/job-result.ts'
import { pendingCall } from '../waiting/pending-call.ts'
import { flagArgument, neededText, refuseOtherArguments } from './arguments.ts'
import type { Tool } from './tool.ts'

const job_id = { type: 'string', description: 'The id of the job, which begins with gen_.' }

/** The tools that read and cancel jobs. */
export const jobTools: readonly Tool[] = [
  {
    name: 'get_job',
    listing: () => ({
      title: 'Get a job',
      description:
        'Says how a job stands and what it has cost, and gives its pictures and links to its files once it has completed.',
      inputSchema: {
        type: 'object',
        properties: {
          job_id,
          wait: {
            type: 'boolean',
            default: false,
            description: 'Whether the answer waits for the end of the job, for as long as a call may take.',
          },
        },
        required: ['job_id'],
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
    }),
    async call(context, call) {
      refuseOtherArguments('get_job', call.args, ['job_id', 'wait'])
      const id = neededText(call.args, 'job_id')
      const isWaiting = flagArgument(call.args, 'wait', false)
      const job = await context.client.get(id, { signal: call.signal })
      const waits = isWaiting && job.status === 'processing'
      return waits ? pendingCall(job, false) : jobResult(context, { job }, call.signal)
    },
  },
  {
    name: 'cancel_job',
    listing: () => ({
      title: 'Cancel a job',
      description: 'Ends a job that is still processing. What its provider has done by then may cost money.',
      inputSchema: { type: 'object', properties: { job_id }, required: ['job_id'] },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    }),
    async call(context, { args, signal }) {
      refuseOtherArguments('cancel_job', args, ['job_id'])
      const job = await context.client.cancel(neededText(args, 'job_id'), { signal })
      const { isError: _, ...result } = await jobResult(context, { job }, signal)
      return result
    },
  },
]
