import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useClient } from '../../core/client/providers.tsx'
import { type Slide, signIn, slideHeight, slidePiece, slideWidth } from '../../core/contract/user/sign-in.ts'
import { useText } from '../../core/element/i18n.ts'
import { Button, Text } from '../../core/ui/basics.ts'
import { ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'

type Props = {
  challengeId: string
  slide: Slide
  done: (slideToken: string) => void
  /** The sign-in is over. */
  failed: (why: unknown) => void
  /** Another sign-in, with another picture. */
  again: () => void
  cancel: () => void
}
type Point = { x: number; t: number }

const furthest = slideWidth - slidePiece
const within = (x: number) => Math.max(0, Math.min(furthest, Math.round(x)))
const forward: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }

/** Where the piece is and how it came there; let go, it is shown to the server. */
const useSliding = ({ challengeId, slide: first, done, failed }: Props) => {
  const client = useClient()
  const [slide, setSlide] = useState(first)
  const [x, setX] = useState(0)
  const [isWrong, setWrong] = useState(false)
  const [busy, setBusy] = useState(false)
  const track = useRef<Point[]>([])
  const begun = useRef(0)

  const move = (to: number) => {
    if (busy) return
    if (track.current.length === 0) begun.current = performance.now()
    const at = within(to)
    track.current.push({ x: at, t: Math.round(performance.now() - begun.current) })
    setX(at)
    setWrong(false)
  }
  const letGo = async () => {
    if (busy || track.current.length === 0) return
    setBusy(true)
    try {
      const given = { challengeId, nonce: slide.nonce, x, track: track.current.slice(-2_000) }
      const answer = await client.call(signIn.slide, given)
      if (answer.slideToken) return done(answer.slideToken)
      if (answer.slide) setSlide(answer.slide)
      setWrong(true)
      setX(0)
      track.current = []
      setBusy(false)
    } catch (why) {
      failed(why)
    }
  }
  return { slide, x, isWrong, busy, move, letGo }
}

/** Moves the piece by mouse, touch and keys. */
const useHandle = ({ x, move, letGo }: ReturnType<typeof useSliding>) => {
  const grabbed = useRef<{ pointer: number; at: number } | null>(null)
  const grip = useRef<HTMLDivElement>(null)
  useEffect(() => grip.current?.focus(), [])
  return {
    ref: grip,
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      grabbed.current = { pointer: event.pointerId, at: event.clientX - x }
      move(x)
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (grabbed.current?.pointer === event.pointerId) move(event.clientX - grabbed.current.at)
    },
    onPointerUp: () => {
      if (!grabbed.current) return
      grabbed.current = null
      void letGo()
    },
    onKeyDown: (event: KeyboardEvent<HTMLDivElement>) => {
      const by = forward[event.key]
      if (event.key !== 'Enter' && by === undefined) return
      event.preventDefault()
      if (by === undefined) void letGo()
      else move(x + by * (event.shiftKey ? 10 : 1))
    },
  }
}

/** A puzzle before the password is looked at: the piece is brought to the gap by mouse, touch or keys. */
export const SlideDialog = (props: Props) => {
  const t = useText()
  const sliding = useSliding(props)
  const { slide, x, isWrong, busy } = sliding
  const handle = useHandle(sliding)
  return (
    <ModalDialog
      open
      onClose={props.cancel}
      title={t('login.slideTitle')}
      description={t('login.slideHint')}
      footer={
        <Button variant="soft" color="gray" disabled={busy} onClick={props.again}>
          {t('login.slideNew')}
        </Button>
      }
    >
      <div className="mk-slide" style={{ width: slideWidth }}>
        <div className="mk-slide-picture" style={{ height: slideHeight }}>
          <img src={slide.background} alt="" width={slideWidth} height={slideHeight} draggable={false} />
          <img
            src={slide.piece}
            alt=""
            width={slidePiece}
            height={slidePiece}
            draggable={false}
            style={{ top: slide.pieceY, transform: `translateX(${x}px)` }}
          />
        </div>
        <div className="mk-slide-rail">
          <div
            {...handle}
            className="mk-slide-handle"
            role="slider"
            tabIndex={0}
            data-field=""
            aria-label={t('login.slideHandle')}
            aria-valuemin={0}
            aria-valuemax={furthest}
            aria-valuenow={x}
            aria-disabled={busy || undefined}
            style={{ width: slidePiece, transform: `translateX(${x}px)` }}
          />
        </div>
        <Text as="p" size="1" color="red" role="alert" className="mk-login-hints">
          {isWrong ? t('login.slideWrong') : ''}
        </Text>
      </div>
    </ModalDialog>
  )
}
