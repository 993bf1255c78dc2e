/** Bytes of one piece of a file: it is hashed, sent and stored at once. */
export const chunkBytes = 10_485_760
/** Bytes of a megabyte. */
export const megabyte = 1_048_576
/** Most characters of a file name. */
export const maxNameLength = 200
/** An image of fewer bytes shows nothing, one of more is no photo of a document. */
export const imageBytes = { min: 1_024, max: 10 * megabyte }
/** What an image may unpack to; a photo of a present phone has twelve. */
export const maxPixels = 40_000_000

/** Extensions of pictures that are taken. */
export const imageExtensions = ['jpg', 'jpeg', 'png', 'gif', 'webp'] as const

/** What files of one kind may be. */
export type Purpose = {
  extensions: readonly string[]
  maxBytes: number
  /** Width to height of what is kept of an image: it is cropped to that before it is sent. */
  ratio?: number
  /** Pixels across that are enough of a cropped image. */
  width?: number
  /** Bytes of one person that may lie about without belonging to a record. */
  quota: number
}

const image = { extensions: imageExtensions, maxBytes: imageBytes.max, quota: 200 * megabyte }

/** Every reason to send a file, with what it accepts. */
export const purposes = {
  image,
  attachment: { extensions: [...imageExtensions, 'pdf'], maxBytes: 20 * megabyte, quota: 400 * megabyte },
  import: { extensions: ['xlsx', 'csv'], maxBytes: 20 * megabyte, quota: 200 * megabyte },
  /** What a network or a bank says of an account, as a table or as a message. */
  statement: { extensions: ['xlsx', 'csv', 'xml', 'sta', 'txt'], maxBytes: 20 * megabyte, quota: 200 * megabyte },
  /** What phones install; its quota holds three of them. */
  package: { extensions: ['apk'], maxBytes: 200 * megabyte, quota: 600 * megabyte },
  logo: { ...image, ratio: 1, width: 512 },
  banner: { ...image, ratio: 2, width: 1_200 },
  flag: { ...image, ratio: 4 / 3, width: 360 },
} satisfies Record<string, Purpose>

/** What a file is sent for. */
export type PurposeName = keyof typeof purposes
/** All purposes. */
export const purposeNames = Object.keys(purposes) as [PurposeName, ...PurposeName[]]

/** Why a file is refused before it is sent. */
export type FileProblem = {
  key:
    | 'validation.fileTooLarge'
    | 'validation.fileFormat'
    | 'validation.fileOnlyFormat'
    | 'validation.fileNameTooLong'
    | 'validation.fileNotImage'
    | 'validation.fileImageSize'
    | 'validation.fileEmpty'
  params: Record<string, string | number>
}

/** The last part of a name in lower case, without its dot; empty where there is none. */
export const extensionOf = (fileName: string): string => /\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''

/** Whether an extension is that of a picture. */
export const isImage = (extension: string): boolean => (imageExtensions as readonly string[]).includes(extension)

/** Whether a purpose takes images and nothing else. */
export const takesImagesOnly = ({ extensions }: Purpose): boolean => extensions.every(isImage)

/** Says which kinds of files a purpose takes. */
export const formatProblem = (purpose: Purpose): FileProblem => ({
  key: purpose.extensions.length > 1 ? 'validation.fileFormat' : 'validation.fileOnlyFormat',
  params: { accept: acceptedOf(purpose) },
})

/** Why a file cannot be sent for a purpose, as far as its name and size tell; null when it can. */
export const fileProblem = (
  purpose: Purpose,
  { fileName, size }: { fileName: string; size: number },
): FileProblem | null => {
  const extension = extensionOf(fileName)
  if (fileName.length > maxNameLength) return { key: 'validation.fileNameTooLong', params: {} }
  if (!purpose.extensions.includes(extension))
    return takesImagesOnly(purpose) ? { key: 'validation.fileNotImage', params: {} } : formatProblem(purpose)
  if (size < 1) return { key: 'validation.fileEmpty', params: {} }
  if (isImage(extension) && (size < imageBytes.min || size > imageBytes.max))
    return { key: 'validation.fileImageSize', params: {} }
  if (size > purpose.maxBytes)
    return { key: 'validation.fileTooLarge', params: { maxSize: Math.floor(purpose.maxBytes / megabyte) } }
  return null
}

/** What a purpose accepts, as people read it. */
export const acceptedOf = ({ extensions }: Purpose): string => extensions.join(', ')

/** Pieces that a file has. */
export const chunkCount = (size: number, each = chunkBytes): number => Math.ceil(size / each)
