import { Icon } from '@genmount/page-kit/page'
import { addressOf, jobAddress } from '../address.ts'
import { OwnerForm } from '../parts/owner-form.tsx'
import { useTyped } from '../parts/use-typed.ts'
import { isJobId } from './job-search.ts'

interface JobFiltersProps {
  readonly query: Readonly<Record<string, string>>
  readonly models: readonly string[]
}

/** The field that searches, and the filters of the list. */
export function JobFilters({ query, models }: JobFiltersProps) {
  const [text, setText] = useTyped(query['q'])
  const model = query['model'] ?? ''
  const go = (changes: Readonly<Record<string, string>>) =>
    (location.hash = addressOf('jobs', { ...query, ...changes }))
  const isFiltered = Boolean(query['q'] || query['owner'] || model)

  function search(event: Event) {
    event.preventDefault()
    const words = text.trim()
    if (isJobId(words)) location.hash = jobAddress(words)
    // A search looks through all jobs of all owners.
    else go({ q: words, owner: '', state: words === '' ? (query['state'] ?? '') : 'all' })
  }

  return (
    <div class="filters">
      <form class="find" role="search" onSubmit={search}>
        <Icon name="search" />
        <input
          class="input"
          type="search"
          aria-label="Search jobs by job id, owner or vendor's id"
          placeholder="Job id, owner or vendor's id"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      <select
        class="input"
        aria-label="Model"
        value={model}
        onChange={({ currentTarget }) => go({ model: currentTarget.value })}
      >
        <option value="">All models</option>
        {[...new Set([...(model ? [model] : []), ...models])].map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      <OwnerForm
        label="Only jobs of this owner"
        owner={query['owner']}
        onOwner={(owner) => go({ owner, q: '' })}
      />
      {isFiltered && (
        <a class="button plain" href={addressOf('jobs', { state: query['state'] })}>
          Clear
        </a>
      )}
    </div>
  )
}
