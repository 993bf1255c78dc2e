import { useEffect, useState } from 'react'
import { useClient } from '../../client/providers.tsx'
import { upload } from '../../contract/common/upload.ts'

/** The address of a file in this page, as long as it is shown; null when it cannot be fetched. */
export const useFile = (uploadNo: string | null): string | null | undefined => {
  const client = useClient()
  const [address, setAddress] = useState<string | null>()
  useEffect(() => {
    if (uploadNo === null) return
    let wanted = true
    let made: string | undefined
    client.file(upload.file, { uploadNo }).then(
      blob => {
        if (!wanted) return
        made = URL.createObjectURL(blob)
        setAddress(made)
      },
      () => wanted && setAddress(null),
    )
    return () => {
      wanted = false
      if (made) URL.revokeObjectURL(made)
    }
  }, [client, uploadNo])
  return address
}
