import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useText } from '../../element/i18n.ts'
import { imageBytes } from '../../rules/upload.ts'
import { Button, Flex, Text } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import { ModalDialog } from '../../ui/overlay/modal-dialog.tsx'
import { centred, drawFrame, frameOf, mostZoom, type Placing, placed, resultSize } from './crop-frame.ts'

type Props = {
  file: File
  picture: ImageBitmap
  ratio: number
  /** Pixels across that are enough. */
  most: number
  close: () => void
  cropped: (file: File) => void
}

/** Pixels across of what stands on screen. */
const shownWidth = 560

const drawn = (canvas: HTMLCanvasElement, type: string): Promise<Blob | null> =>
  new Promise(resolve => canvas.toBlob(resolve, type, 0.92))

type PlacingProps = { placing: Placing; move: (change: Partial<Placing>) => void }

/** The frame: the image is dragged below it, the wheel enlarges it. */
const Frame = ({ picture, ratio, placing, move }: PlacingProps & Pick<Props, 'picture' | 'ratio'>) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drag = useRef<{ x: number; y: number } | null>(null)
  useEffect(() => {
    if (canvas.current) drawFrame(canvas.current, picture, placing, ratio)
  }, [picture, placing, ratio])

  const slide = (event: PointerEvent<HTMLCanvasElement>) => {
    const from = drag.current
    if (!from) return
    drag.current = { x: event.clientX, y: event.clientY }
    const kept = frameOf(picture, placing, ratio)
    const scale = kept.width / event.currentTarget.clientWidth
    const turned = placing.turns % 2 ? { width: picture.height, height: picture.width } : picture
    const free = { x: turned.width - kept.width, y: turned.height - kept.height }
    move({
      x: free.x > 0 ? placing.x - ((event.clientX - from.x) * scale) / free.x : placing.x,
      y: free.y > 0 ? placing.y - ((event.clientY - from.y) * scale) / free.y : placing.y,
    })
  }
  return (
    <canvas
      ref={canvas}
      className="mk-crop"
      aria-hidden
      width={shownWidth}
      height={Math.round(shownWidth / ratio)}
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { x: event.clientX, y: event.clientY }
      }}
      onPointerMove={slide}
      onPointerUp={() => {
        drag.current = null
      }}
      onWheel={event => move({ zoom: placing.zoom - Math.sign(event.deltaY) * 0.1 })}
    />
  )
}

/** The same by keys. */
const Ranges = ({ placing, move }: PlacingProps) => {
  const t = useText()
  const ranges = [
    { label: t('file.zoom'), min: 1, max: mostZoom, value: placing.zoom, set: (zoom: number) => move({ zoom }) },
    { label: t('file.across'), min: 0, max: 1, value: placing.x, set: (x: number) => move({ x }) },
    { label: t('file.down'), min: 0, max: 1, value: placing.y, set: (y: number) => move({ y }) },
  ]

  return ranges.map(({ label, min, max, value, set }) => (
    <Text key={label} as="label" size="2" className="mk-crop-range">
      {label}
      <input
        type="range"
        min={min}
        max={max}
        step={0.01}
        value={value}
        onChange={event => set(Number(event.target.value))}
      />
    </Text>
  ))
}

/** What of an image is kept: it is moved, enlarged and turned below a frame, by pointer or by keys. */
export const CropDialog = ({ file, picture, ratio, most, close, cropped }: Props) => {
  const t = useText()
  const [placing, setPlacing] = useState<Placing>(centred)
  const size = resultSize(picture, placing, ratio, most)
  const move = (change: Partial<Placing>) => setPlacing(now => placed(now, change))
  const use = async () => {
    const result = Object.assign(document.createElement('canvas'), size)
    drawFrame(result, picture, placing, ratio)
    const wanted = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png'
    const first = await drawn(result, wanted)
    const blob = first && first.size > imageBytes.max ? await drawn(result, 'image/jpeg') : first
    if (!blob) return
    const name = `${file.name.replace(/\.[^.]*$/, '')}.${blob.type === 'image/jpeg' ? 'jpg' : 'png'}`
    cropped(new File([blob], name, { type: blob.type }))
  }

  return (
    <ModalDialog
      open
      onClose={close}
      title={t('file.crop')}
      description={t('file.cropHint', size)}
      footer={
        <>
          <Button variant="soft" color="gray" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button onClick={() => void use()}>{t('file.useCrop')}</Button>
        </>
      }
    >
      <Flex direction="column" gap="3">
        <Frame picture={picture} ratio={ratio} placing={placing} move={move} />
        <Ranges placing={placing} move={move} />
        <div>
          <Button size="1" variant="surface" color="gray" onClick={() => move({ turns: placing.turns + 1 })}>
            <Icon name="refresh" size={12} />
            {t('file.rotate')}
          </Button>
        </div>
      </Flex>
    </ModalDialog>
  )
}
