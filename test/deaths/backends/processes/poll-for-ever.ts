/** A service that creates a job and hangs in its poll. Prints the job's id once the poll has begun. */
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { createGenerationService } from '@genmount/core'
import { quietLog } from '@genmount/testing'
import { onePicture } from '../one-picture.ts'

const [, , url = '', schema = ''] = process.argv
const pool = new pg.Pool({ connectionString: url, max: 4 })
const provider = onePicture(true)
const service = createGenerationService({
  providers: [
    {
      ...provider,
      poll: (...given) => {
        console.log(job.id)
        return provider.poll(...given)
      },
    },
  ],
  backend: postgresBackend({ pool, schema }),
  log: quietLog(),
})
const { job } = await service.create({ owner: 'alice', model: 'one-picture', input: { prompt: 'a fox' } })
