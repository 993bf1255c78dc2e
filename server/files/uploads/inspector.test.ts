import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { BadFile } from './content/bad.ts'
import { inspect } from './content/inspect.ts'
import { noise, pdfOf, pngChunk, pngEnd, pngHead, pngOf, pngStart, xlsxOf, zipOf } from './content/made-files.ts'
import { inspectApart } from './inspector.ts'

const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(BadFile)
  return (error as BadFile).refusal
}

it.each([
  ['png', pngOf()],
  ['pdf', pdfOf()],
  ['xlsx', xlsxOf()],
])('a %s comes out of its thread as it would here', async (extension, bytes) => {
  expect(await inspectApart(extension, bytes)).toEqual(await inspect(extension, bytes))
})

it('what is wrong with a file comes out of its thread too', async () => {
  expect(await refusalOf(inspectApart('png', noise(2_000)))).toBe('not_image')
  expect(await refusalOf(inspectApart('xlsx', zipOf([{ name: 'a', content: 'b' }])))).toBe('format')
})

it('a file that takes too long is given up, and the next one is looked at', async () => {
  const [width, height] = [8_000, 5_000]
  const data = deflateSync(Buffer.alloc((width * 3 + 1) * height))
  const slow = Buffer.concat([pngStart, pngHead(width, height), pngChunk('IDAT', data), pngEnd])
  expect(await refusalOf(inspectApart('png', slow, { longestMs: 1 }))).toBe('unpacked')
  expect(await inspectApart('png', pngOf())).toMatchObject({ width: 40, height: 30 })
})

it('a file that takes too much memory ends its own thread and nothing else', async () => {
  const long = Buffer.concat([Buffer.from('a,b\n'), Buffer.alloc(18 * 1_048_576, '1,2\n')])
  expect(await refusalOf(inspectApart('csv', long, { memoryMb: 4 }))).toBe('unpacked')
  expect(await inspectApart('csv', long)).toMatchObject({ fileType: 'text/csv' })
})
