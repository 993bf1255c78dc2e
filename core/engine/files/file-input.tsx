import {
  type DragEvent,
  lazy,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useClient } from '../../client/providers.tsx'
import { unsentFile } from '../../contract/fields.ts'
import { useText } from '../../element/i18n.ts'
import { useSheet } from '../../element/styles.ts'
import {
  acceptedOf,
  extensionOf,
  fileProblem,
  isImage,
  maxPixels,
  megabyte,
  type Purpose,
  purposes,
  takesImagesOnly,
} from '../../rules/upload.ts'
import { Button, Text } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import type { InputProps } from '../form/input/input-props.ts'
import { ChosenFile } from './chosen-file.tsx'
import files from './files.css?sheet'
import { type Chosen, type Said, Sendings } from './sendings.ts'

const CropDialog = lazy(async () => ({ default: (await import('./crop-dialog.tsx')).CropDialog }))

type Cropping = { file: File; picture: ImageBitmap }

/** An image opened, or what is wrong with it. */
const opened = async (file: File): Promise<ImageBitmap | Said> => {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return { key: 'validation.fileNotImage' }
  if (picture.width * picture.height > maxPixels)
    return { key: 'validation.filePixels', params: { max: maxPixels / 1_000_000 } }
  return picture
}

/** Reports the uploads to the form on each change. */
const useReported = (all: readonly Chosen[], many: boolean | undefined, onChange: InputProps['onChange']) => {
  const reported = useRef('')
  const held = all.flatMap(one => (one.is === 'ready' ? one.uploadNo : one.is === 'refused' ? [] : unsentFile))
  useEffect(() => {
    if (reported.current === held.join()) return
    reported.current = held.join()
    onChange(many ? (held.length ? held : undefined) : held[0])
  })
}

/** Files as they are taken: looked at, cropped where they have a shape to keep, and sent. */
const useTaking = (name: keyof typeof purposes, meta: InputProps['meta'], onChange: InputProps['onChange']) => {
  const client = useClient()
  const purpose: Purpose = purposes[name]
  const { ratio } = purpose
  const [sendings] = useState(() => new Sendings(client, name))
  const all = useSyncExternalStore(sendings.subscribe, sendings.read)
  const [cropping, setCropping] = useState<Cropping | null>(null)
  useEffect(() => sendings.removeAll, [sendings])
  useReported(all, meta.many, onChange)
  const problemOf = async (file: File): Promise<Said | Cropping | null> => {
    const problem = fileProblem(purpose, { fileName: file.name, size: file.size })
    const cropped = ratio !== undefined && problem?.key === 'validation.fileImageSize' && file.size > 0
    if (problem && !cropped) return problem
    if (!isImage(extensionOf(file.name))) return null
    const picture = await opened(file)
    if (!(picture instanceof ImageBitmap)) return picture
    if (ratio !== undefined) return { file, picture }
    picture.close()
    return null
  }
  const take = async (files: readonly File[]) => {
    for (const file of meta.many ? files : files.slice(0, 1)) {
      const found = await problemOf(file)
      for (const one of sendings.read()) if (!meta.many || one.is === 'refused') sendings.remove(one.id)
      if (found === null) sendings.add(file)
      else if (typeof found === 'object' && 'picture' in found) setCropping(found)
      else sendings.refuse(file, found)
    }
  }
  return { all, sendings, take, cropping, setCropping }
}

type CropProps = { cropping: Cropping; purpose: Purpose; sendings: Sendings; close: () => void }

const Crop = ({ cropping, purpose, sendings, close }: CropProps) =>
  purpose.ratio !== undefined && (
    <CropDialog
      {...cropping}
      ratio={purpose.ratio}
      most={purpose.width ?? cropping.picture.width}
      close={close}
      cropped={file => {
        close()
        const problem = fileProblem(purpose, { fileName: file.name, size: file.size })
        if (problem) sendings.refuse(file, problem)
        else sendings.add(file)
      }}
    />
  )

type ChooseProps = Pick<InputProps, 'tied' | 'label'> & {
  button: RefObject<HTMLButtonElement | null>
  /** The file that is chosen takes the place of the one that is there. */
  replaces: boolean
  imagesOnly: boolean
  choose: () => void
}

const ChooseFile = ({ button, tied, label, replaces, imagesOnly, choose }: ChooseProps) => {
  const t = useText()
  const words = replaces ? t('file.replace') : t(imagesOnly ? 'file.chooseImage' : 'file.choose')
  return (
    <div className="mk-files-choose">
      <Button
        ref={button}
        id={tied.id}
        data-field=""
        type="button"
        size="1"
        variant="surface"
        color="gray"
        aria-label={`${words}: ${label}`}
        aria-describedby={[`${tied.id}-limits`, tied['aria-describedby']].filter(Boolean).join(' ')}
        onClick={choose}
      >
        <Icon name="upload" size={12} />
        {words}
      </Button>
      <Text size="1" color="gray">
        {t('file.drop')}
      </Text>
    </div>
  )
}

/** Files that are dropped, and whether some are held over the field. */
const useDrop = (take: (files: readonly File[]) => void) => {
  const [over, setOver] = useState(false)
  return {
    over,
    dropping: {
      onDragOver: (event: DragEvent) => {
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        setOver(false)
        take([...event.dataTransfer.files])
      },
    },
  }
}

/** A field that takes files: chosen, dropped or pasted, looked at before they are sent, and sent at once. Its value is the numbers of their uploads, {@link unsentFile} for those not there yet. */
export const FileInput = ({ tied, label, meta, onChange }: InputProps) => {
  useSheet(files)
  const t = useText()
  const name = meta.purpose ?? 'attachment'
  const purpose: Purpose = purposes[name]
  const { all, sendings, take, cropping, setCropping } = useTaking(name, meta, onChange)
  const { over, dropping } = useDrop(files => void take(files))
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  return (
    <div
      className="mk-files"
      data-over={over || undefined}
      data-invalid={tied['aria-invalid']}
      {...dropping}
      onPaste={event => {
        if (event.clipboardData.files.length) void take([...event.clipboardData.files])
      }}
    >
      <input
        ref={input}
        type="file"
        hidden
        multiple={meta.many}
        accept={purpose.extensions.map(one => `.${one}`).join(',')}
        onChange={event => {
          void take([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      {all.map(one => (
        <ChosenFile
          key={one.id}
          chosen={one}
          again={() => sendings.send(one.id)}
          remove={() => {
            sendings.remove(one.id)
            button.current?.focus()
          }}
        />
      ))}
      <ChooseFile
        button={button}
        tied={tied}
        label={label}
        replaces={all.length > 0 && !meta.many}
        imagesOnly={takesImagesOnly(purpose)}
        choose={() => input.current?.click()}
      />
      <Text id={`${tied.id}-limits`} size="1" color="gray">
        {t('file.limits', { accept: acceptedOf(purpose), maxSize: Math.floor(purpose.maxBytes / megabyte) })}
      </Text>
      <Suspense fallback={null}>
        {cropping && <Crop cropping={cropping} purpose={purpose} sendings={sendings} close={() => setCropping(null)} />}
      </Suspense>
    </div>
  )
}
