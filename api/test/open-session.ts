/**
 * Like the page: session, proof, token; for a shop in another process.
 * @param url the shop's, on loopback
 * @param person `isNew` signs up
 * @returns the access token
 * @throws Error with the answer that refused
 */
export async function openSession(
  url: string,
  person: { email: string; password: string; name: string; isNew: boolean },
): Promise<string> {
  const { isNew, email, name } = person;
  const headers = { 'content-type': 'application/json', origin: url };
  const session = await send(`${url}/identity/sign-${isNew ? 'up' : 'in'}/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password: person.password, ...(isNew && { name }) }),
  });
  const cookies = session.headers.getSetCookie().map((each) => each.split(';')[0]);
  const proof = await send(`${url}/identity/token`, { headers: { origin: url, cookie: cookies.join('; ') } });
  const exchanged = await send(`${url}/user/${encodeURIComponent(email)}`, {
    method: 'PUT',
    headers: { ...headers, authorization: `Bearer ${(await proof.json()).token}` },
    body: JSON.stringify({ email, name }),
  });
  return (await exchanged.json()).token;
}

async function send(address: string, options: RequestInit): Promise<Response> {
  const response = await fetch(address, { ...options, signal: AbortSignal.timeout(20_000) });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return response;
}
