import { maxPixels } from '../../../core/rules/upload.ts'
import { must } from './bad.ts'

/** An image as it is kept: nothing but what makes the picture. */
export type Picture = { bytes: Buffer; width: number; height: number }

const longestSide = 20_000

export const checkPixels = (width: number, height: number): void => {
  must(width > 0 && height > 0, 'no pixels')
  must(width * height <= maxPixels && Math.max(width, height) <= longestSide, `${width} x ${height}`, 'pixels')
}
