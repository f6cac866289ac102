/**
 * A process that has written no beat for this many milliseconds, and whose lock is free, counts as ended. A process
 * without a session has no lock, and counts as ended after 30 s without a beat.
 */
export const silentMs = 5000
/**
 * How long a process that counts as ended may only have been cut off from the server, in milliseconds: outages of networks and
 * servers are usually shorter. A process whose lock is free and that has been silent for longer has ended also for a process that
 * has just started, such as a function, and can't know whether all were cut off.
 */
export const mayReturnMs = 180_000

/**
 * The server's time, which all statements give that read jobs: another process may have corrected a job by a clock that was
 * set a moment ago.
 */
export const serverTime = '(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS server_time'

/** The statements by which processes know of one another. `@` stands for the schema. */
export const processStatements = {
  beat: `
    INSERT INTO @processes (id, has_session, seen_at) VALUES ($1, $2, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET has_session = $2, seen_at = clock_timestamp()
    RETURNING slot, ${serverTime}, pg_backend_pid() AS backend`,
  leave: `
    WITH waited AS (DELETE FROM @waits WHERE process = $1)
    UPDATE @processes SET seen_at = '-infinity' WHERE id = $1`,
  // A process that is frozen keeps its connection, and with it the lock. A process that lives and has lost its connection
  // goes on writing beats. A beat in the future was written before the clock of the server was put back.
  processes: `
    SELECT id, ${serverTime}, CASE
      WHEN process.seen_at = '-infinity' THEN 'ended'
      WHEN seen_at BETWEEN
          clock_timestamp() - CASE WHEN has_session THEN interval '${silentMs} ms' ELSE interval '30 s' END
          AND clock_timestamp() + interval '${silentMs} ms'
        OR EXISTS (
          SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND classid = '@space'::regnamespace::oid AND objid = process.slot::oid
        ) THEN 'running'
      WHEN seen_at < clock_timestamp() - interval '${mayReturnMs} ms' THEN 'long silent'
      ELSE 'silent'
    END AS state FROM @processes AS process`,
  leftBehind: `
    SELECT id, claimed_by FROM @jobs WHERE due_at IS NOT NULL AND claimed_until > $1 AND claimed_until <= $2
      AND claimed_by = ANY ($3::text[]) LIMIT $4`,
  // A process that has beaten in the meantime keeps its row.
  forget: `
    WITH waited AS (DELETE FROM @waits WHERE process = ANY ($1::text[]))
    DELETE FROM @processes WHERE id = ANY ($1::text[]) AND NOT seen_at
      BETWEEN clock_timestamp() - interval '${silentMs} ms' AND clock_timestamp() + interval '${silentMs} ms'`,
}
