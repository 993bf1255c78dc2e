/** How a picture stands below the frame: turned by quarters, enlarged, and moved; 0.5 is the middle, 0 and 1 are its ends. */
export type Placing = { turns: number; zoom: number; x: number; y: number }
/** Width and height in pixels. */
export type Size = { width: number; height: number }

/** A picture as it first appears: upright, filling the frame, in the middle. */
export const centred: Placing = { turns: 0, zoom: 1, x: 0.5, y: 0.5 }
/** Largest zoom of a crop; 1 fills the frame. */
export const mostZoom = 4

const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))

/** Applies a change to a placing, within its bounds. */
export const placed = (now: Placing, change: Partial<Placing>): Placing => ({
  turns: ((change.turns ?? now.turns) + 4) % 4,
  zoom: within(change.zoom ?? now.zoom, 1, mostZoom),
  x: within(change.x ?? now.x, 0, 1),
  y: within(change.y ?? now.y, 0, 1),
})

/** The size of a picture that was turned. */
export const turnedSize = ({ width, height }: Size, turns: number): Size =>
  turns % 2 ? { width: height, height: width } : { width, height }

/** What of the turned picture is kept, in its pixels. */
export const frameOf = (
  picture: Size,
  { turns, zoom, x, y }: Placing,
  ratio: number,
): Size & { left: number; top: number } => {
  const { width, height } = turnedSize(picture, turns)
  const fitting = width / height > ratio ? { width: height * ratio, height } : { width, height: width / ratio }
  const kept = { width: fitting.width / zoom, height: fitting.height / zoom }
  return { ...kept, left: (width - kept.width) * x, top: (height - kept.height) * y }
}

/** Pixels of the result: never more than the picture has, nor than are wanted. */
export const resultSize = (picture: Size, placing: Placing, ratio: number, most: number): Size => {
  const width = Math.max(1, Math.round(Math.min(most, frameOf(picture, placing, ratio).width)))
  return { width, height: Math.max(1, Math.round(width / ratio)) }
}

/** Draws what is kept of a picture over a whole canvas. */
export const drawFrame = (canvas: HTMLCanvasElement, picture: ImageBitmap, placing: Placing, ratio: number): void => {
  const context = canvas.getContext('2d')
  if (!context) return
  const { left, top, width } = frameOf(picture, placing, ratio)
  const scale = canvas.width / width
  const { width: across, height: down } = turnedSize(picture, placing.turns)
  context.resetTransform()
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.scale(scale, scale)
  context.translate(across / 2 - left, down / 2 - top)
  context.rotate((placing.turns * Math.PI) / 2)
  context.drawImage(picture, -picture.width / 2, -picture.height / 2)
}
