import { useClient } from '../../../core/client/providers.tsx'
import { upload } from '../../../core/contract/common/upload.ts'
import { keepFile } from '../../../core/engine/files/export-file.ts'
import { Button } from '../../../core/ui/basics.ts'
import { Icon } from '../../../core/ui/icons.tsx'

/** Keeps a file that a record rests on. */
export const FileButton = ({ uploadNo, fileName }: { uploadNo: string; fileName: string }) => {
  const client = useClient()
  return (
    <Button
      size="1"
      variant="soft"
      color="gray"
      onClick={() =>
        void client.file(upload.file, { uploadNo }).then(
          blob => keepFile(blob, fileName),
          () => undefined,
        )
      }
    >
      <Icon name="download" /> {fileName}
    </Button>
  )
}
