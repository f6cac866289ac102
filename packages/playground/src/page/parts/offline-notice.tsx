import { useEffect, useState } from 'preact/hooks'

/** Says that the browser has no network. */
export function OfflineNotice() {
  const [isOnline, setIsOnline] = useState(navigator.onLine)
  useEffect(() => {
    const look = () => setIsOnline(navigator.onLine)
    addEventListener('online', look)
    addEventListener('offline', look)
    return () => {
      removeEventListener('online', look)
      removeEventListener('offline', look)
    }
  }, [])
  return (
    <p class={isOnline ? 'unseen' : 'notice offline'} role="status">
      {isOnline
        ? ''
        : 'You are offline. Your jobs continue, and the page shows them when you are online again.'}
    </p>
  )
}
