import type { Feature } from '../api/wire.ts'

/** What a service without a feature lacks, and what would bring it. */
export const featureWords: Readonly<Record<Feature, { readonly lacks: string; readonly brings: string }>> = {
  list: {
    lacks: 'The job store of this service does not list the jobs of all owners.',
    brings:
      'A job by its id is found all the same. Lists come with a store that has listAll, as all of genmount’s backends do.',
  },
  task_ids: {
    lacks: 'The job store of this service does not find jobs by the ids of vendors.',
    brings: 'A store that has findByTaskId does, as all of genmount’s backends do.',
  },
  audit: {
    lacks: 'The job store of this service keeps no audit log, so this page changes nothing.',
    brings: 'A store that has audit and auditEntries keeps one, as all of genmount’s backends do.',
  },
  usage: {
    lacks: 'This service does not add up what jobs have cost.',
    brings: 'The plugin usage of @genmount/core/usage does, with a store that keeps the sums of each day.',
  },
  grants: {
    lacks: 'This service keeps no grants.',
    brings: 'The plugin limits of @genmount/core/limits does, with a store that keeps grants.',
  },
  webhooks: {
    lacks: 'This service sends no webhooks.',
    brings: 'The plugin webhooks of @genmount/webhooks does.',
  },
}
