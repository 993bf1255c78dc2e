import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
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
import type { InputProps } from '../form/input.tsx'
import { ChosenFile } from './chosen-file.tsx'
import files from './files.css?sheet'
import { type Said, Sendings } from './sendings.ts'

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

/** A field that takes files: chosen, dropped or pasted, looked at before they are sent, and sent at once. Its value is the numbers of their uploads, {@link unsentFile} for those not there yet. */
export const FileInput = ({ tied, label, meta, onChange, autoFocus }: InputProps) => {
  useSheet(files)
  const t = useText()
  const client = useClient()
  const name = meta.purpose ?? 'attachment'
  const purpose: Purpose = purposes[name]
  const { ratio } = purpose
  const [sendings] = useState(() => new Sendings(client, name))
  const all = useSyncExternalStore(sendings.subscribe, sendings.read)
  const [over, setOver] = useState(false)
  const [cropping, setCropping] = useState<Cropping | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const reported = useRef('')
  useEffect(() => sendings.removeAll, [sendings])

  const held = all.flatMap(one => (one.is === 'ready' ? one.uploadNo : one.is === 'refused' ? [] : unsentFile))
  useEffect(() => {
    if (reported.current === held.join()) return
    reported.current = held.join()
    onChange(meta.many ? (held.length ? held : undefined) : held[0])
  })

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
  const choose = t(takesImagesOnly(purpose) ? 'file.chooseImage' : 'file.choose')

  return (
    <div
      className="mk-files"
      data-over={over || undefined}
      data-invalid={tied['aria-invalid']}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        void take([...event.dataTransfer.files])
      }}
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
      <div className="mk-files-choose">
        <Button
          ref={button}
          id={tied.id}
          data-field=""
          type="button"
          size="1"
          variant="surface"
          color="gray"
          autoFocus={autoFocus}
          aria-label={`${all.length && !meta.many ? t('file.replace') : choose}: ${label}`}
          aria-describedby={[`${tied.id}-limits`, tied['aria-describedby']].filter(Boolean).join(' ')}
          onClick={() => input.current?.click()}
        >
          <Icon name="upload" size={12} />
          {all.length && !meta.many ? t('file.replace') : choose}
        </Button>
        <Text size="1" color="gray">
          {t('file.drop')}
        </Text>
      </div>
      <Text id={`${tied.id}-limits`} size="1" color="gray">
        {t('file.limits', { accept: acceptedOf(purpose), maxSize: Math.floor(purpose.maxBytes / megabyte) })}
      </Text>
      <Suspense fallback={null}>
        {cropping && ratio !== undefined && (
          <CropDialog
            {...cropping}
            ratio={ratio}
            most={purpose.width ?? cropping.picture.width}
            close={() => setCropping(null)}
            cropped={file => {
              setCropping(null)
              const problem = fileProblem(purpose, { fileName: file.name, size: file.size })
              if (problem) sendings.refuse(file, problem)
              else sendings.add(file)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}
