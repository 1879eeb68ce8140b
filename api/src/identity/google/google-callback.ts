import { googlePopupPath, identityServiceCalls } from '@parts-forge/contract/people/identity-service';

export async function answerInPopup(
  request: Request,
  handle: (request: Request) => Promise<Response>,
  onFailure: (error: unknown) => void,
): Promise<Response> {
  if (new URL(request.url).pathname !== identityServiceCalls.finishGoogleSignIn.path) return handle(request);
  const response = await handle(request).catch((error: unknown) => {
    onFailure(error);
    return null;
  });
  if (response && response.status < 400) return response;
  return new Response(null, { status: 302, headers: { location: `${googlePopupPath}?error=failed` } });
}
