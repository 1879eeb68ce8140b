import { openUpload } from '@parts-forge/contract/products/images';
import { callShop } from '#app/calls/api-client.ts';
import { OfflineError, ShopProblem } from '#app/http/errors.ts';

/**
 * Uploads a picture and returns its address (specification §7, "External services"): gets a target from the
 * shop, posts multipart field `image` with the key in the query string, reads `data.url`.
 * @param onProgress the share that is sent, from 0 to 1
 * @throws ShopProblem `too-large`, `wrong-kind`, `invalid` and the like; OfflineError without a connection
 */
export async function uploadPicture(file: File, onProgress: (share: number) => void): Promise<string> {
  const { url, key } = await callShop(openUpload, {});
  const form = new FormData();
  form.append('image', file, file.name);
  return postForm(`${url}?key=${encodeURIComponent(key)}`, form, onProgress);
}

async function postForm(
  address: string,
  form: FormData,
  onProgress: (share: number) => void,
): Promise<string> {
  const request = await send('POST', address, form, onProgress);
  const pictureUrl = readPictureUrl(request.response);
  if (request.status >= 200 && request.status < 300 && pictureUrl !== null) return pictureUrl;
  const headers = { get: (name: string) => request.getResponseHeader(name) };
  throw new ShopProblem(request.status, request.response, headers);
}

/** XMLHttpRequest reports upload progress; `fetch` does not. @throws OfflineError without a response */
function send(
  method: 'POST' | 'PUT',
  address: string,
  body: FormData | Blob,
  onProgress: (share: number) => void,
): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    request.responseType = method === 'POST' ? 'json' : 'text';
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress(loaded / total);
    };
    request.onerror = () => reject(new OfflineError());
    request.onload = () => resolve(request);
    request.send(body);
  });
}

/** The hosted service and ours answer alike. */
function readPictureUrl(body: unknown): string | null {
  const url = (body as { data?: { url?: unknown } } | null)?.data?.url;
  return typeof url === 'string' ? url : null;
}
