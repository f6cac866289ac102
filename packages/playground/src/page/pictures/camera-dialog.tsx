import { Dialog, Icon } from '@genmount/page-kit/page'
import { useEffect, useRef, useState } from 'preact/hooks'

interface CameraDialogProps {
  readonly onClose: () => void
  readonly onPicture: (picture: Blob) => void
}

/** Shows the camera's image, and takes a picture. Closing the dialog turns the camera off. */
export function CameraDialog({ onClose, onPicture }: CameraDialogProps) {
  const view = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<'starting' | 'on' | 'refused'>('starting')

  useEffect(() => {
    let stream: MediaStream | undefined
    let isClosed = false
    const stop = () => stream?.getTracks().forEach((track) => track.stop())
    const open = async () => {
      // Only pages over https, or of this machine, may use the camera.
      stream = await navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 1920 } } })
      if (isClosed || !view.current) return stop()
      view.current.srcObject = stream
      await view.current.play()
      setState('on')
    }
    open().catch(() => setState('refused'))
    return () => {
      isClosed = true
      stop()
    }
  }, [])

  function take() {
    const { current: video } = view
    if (!video) return
    const canvas = document.createElement('canvas')
    canvas.width = video.videoWidth
    canvas.height = video.videoHeight
    canvas.getContext('2d')?.drawImage(video, 0, 0)
    canvas.toBlob((blob) => blob && onPicture(blob), 'image/jpeg', 0.92)
    onClose()
  }

  return (
    <Dialog title="Camera" onClose={onClose}>
      {state === 'refused' ? (
        <p class="notice">
          The camera can not be used. The browser needs your permission, and a page that comes over https.
        </p>
      ) : (
        <video ref={view} class="camera" muted playsInline aria-label="What the camera sees" />
      )}
      <footer class="dialog-foot">
        <button type="button" class="button primary" disabled={state !== 'on'} onClick={take}>
          <Icon name="camera" /> Take the picture
        </button>
      </footer>
    </Dialog>
  )
}
