// test/crashes/service/server.ts of commit 9d48cf000126fb4ab904a915a4b4f22828649c61 of 2026-11-22 with mends.patch, made by bundle-older-server.ts
import{createServer as Z0}from"node:http";import eS from"node:module";import ur from"node:process";import{createInterface as tS}from"node:readline";function yr({buffer:e,byteLength:t}){e instanceof ArrayBuffer&&e.byteLength===t&&e.transfer(0)}var _m=new Uint8Array;function an({expectedBytes:e=1/0,onGrow:t}={}){let n=_m,o=!1;function r(i){let a=Math.min(Math.max(2*n.byteLength,1024),e),c=Math.max(a,i);if(t?.(c-n.byteLength),o){n=new Uint8Array(
n.buffer.transfer(c));return}let d=new Uint8Array(c);d.set(n),n=d,o=!0}let s={size:0,add(i){let a=s.size+i.byteLength;s.size===0&&a===e?(t?.(a),n=i):(a>n.byteLength&&r(a),n.set(i,s.size)),s.size=a},drop(){
o&&n.buffer.transfer(0)},whole:()=>s.size<n.byteLength?new Uint8Array(n.buffer.transfer(s.size)):n};return s}async function ke(e){let t=new Uint8Array(await crypto.subtle.digest("SHA-256",e));return Array.from(t,n=>n.toString(16).padStart(2,"0")).join("")}function hr({clientToken:e}){return ke(new TextEncoder().encode(`callback ${e}`))}var In="/v1/callbacks/:provider/:job/:token";async function gr(e,{name:t,readCallback:n},o){if(e===void 0||!n)return;let r={
provider:encodeURIComponent(t),job:o.id,token:await hr(o)};return e+In.replace(/:(\w+)/g,(s,i)=>r[i]??"")}function qe(e){return e===""?"an empty text":typeof e=="string"?"a text":typeof e=="number"||typeof e=="bigint"?"a number":typeof e=="function"?"a function":typeof e!="object"||e===null?String(e):"the\
n"in e?"a promise: await it":Array.isArray(e)?"a list":Symbol.iterator in e?"an iterable":"an object"}function R(e,t){return(n,o)=>o===void 0?t:e(n,o)}function V(e,t){return(n,o)=>{if(t(o))return o;throw new TypeError(`${n} must be ${e}, not ${qe(o)}.`)}}function B(e="a text with at least one characte\
r",t=n=>n!==""){return(n,o)=>{if(typeof o!="string")throw new TypeError(`${n} must be ${e}, not ${qe(o)}.`);if(typeof t=="function"?t(o):t.test(o))return o;throw new TypeError(`${n} must be ${e}.`)}}function Ge(e,t){
let n=V(e,Array.isArray);return(o,r)=>n(o,r).map((s,i)=>t(`${o}[${i}]`,s))}var br=V("true or false",e=>typeof e=="boolean");function re(e){let t=e===void 0?"a function":`a function such as ${e}`;return V(
t,n=>typeof n=="function")}function N(e=1,t=Number.MAX_SAFE_INTEGER){let n=t===Number.MAX_SAFE_INTEGER?`of at least ${e}`:`from ${e} to ${t}`;return(o,r)=>{let s=typeof r=="number";if(s&&Number.isSafeInteger(
r)&&r>=e&&r<=t)return r;throw new TypeError(`${o} must be a whole number ${n}, not ${s?r:qe(r)}.`)}}var Lt=2**31-1;function Nt(e=1){return N(e,Lt)}function le(...e){return(t,n)=>{let o=e.find(s=>s===n);
if(o!==void 0)return o;let r=typeof n=="string"?JSON.stringify(n):qe(n);throw new TypeError(`${t} must be ${e.map(s=>`'${s}'`).join(" or ")}, not ${r}.`)}}var gt=(e,t)=>{let n=typeof t=="string"?URL.parse(
t):null;if(n&&/^https?:$/.test(n.protocol)&&n.href===n.origin+n.pathname)return n.href.replace(/\/+$/,"");throw new TypeError(`${e} must be an http or https URL such as https://app.example/media, with\
out user name, password, query and fragment.`)};function Wi(e,t){let n=i=>i.toLowerCase().replace(/[^a-z\d]/g,""),o=n(e),r=t.map(i=>({name:i,distance:Mm(o,n(i))})).toSorted((i,a)=>i.distance-a.distance),[s]=r;return s&&s.distance<=Math.ceil(o.length/
3)?s.name:o.length<4?void 0:t.find(i=>n(i).includes(o))}function Mm(e,t){let n=Array.from({length:t.length+1},(o,r)=>r);for(let[o,r]of[...e].entries()){let s=[o+1];for(let[i,a]of[...t].entries())s.push(
Math.min(n[i+1]+1,s[i]+1,n[i]+(r===a?0:1)));n=s}return n[t.length]}function $(e,t,n){let o=pe(`${e}${e.includes(": ")?"":": the options"}`,t===void 0?{}:t),r=Object.keys(n),s=Object.keys(o).find(a=>!Object.hasOwn(n,a));if(s!==void 0){let a=Wi(s,r);throw new TypeError(
`${qi(e,s)} is not an option; ${a===void 0?`there are ${r.join(", ")}.`:`did you mean ${a}?`}`)}let i=r.map(a=>[a,n[a]?.(qi(e,a),o[a])]);return Object.fromEntries(i)}function pe(e,t,n=""){if(typeof t==
"object"&&t!==null&&!(Symbol.iterator in t))return t;throw new TypeError(`${e} must be an object${n}, not ${qe(t)}.`)}function qi(e,t){return e.includes(": ")?/^\w+$/.test(t)?`${e}.${t}`:`${e}['${t}']`:
`${e}: ${t}`}function rt(e,t){return(n,o)=>{let r=t.find(i=>typeof Jm(o,i)!="function");if(r===void 0)return o;if(typeof o=="function")throw new TypeError(`${n} is a function: call it, ${o.name||"factory"}().`);let s=qe(
o);throw new TypeError(`${n} must be ${e}${s==="an object"?`: its ${r} is no function.`:`, not ${s}.`}`)}}function Jm(e,t){return t.split(".").reduce((n,o)=>n?.[o],e)}var He=rt("a clock such as systemClock()",["now","uptime","after"]),bt=rt("a log such as console",["warn","error"]),Gi=rt("a backend such as sqliteBackend({ file })",["jobs.insert","jobs.findByIdempot\
encyKey","jobs.get","jobs.replace","jobs.due","jobs.expired","jobs.delete","scheduler.start","scheduler.wakeAt","scheduler.stop","signals.publish","signals.subscribe","close"]),Hi=rt("webhooks such as\
 signedWebhooks({ baseUrl, secretsOf })",["refusal","send"]),Lm=rt("a file store such as diskFiles({ folder })",["put","delete"]),$n=re("guardedFetch"),wr=(e,t)=>{let n=Lm(e,t);if(typeof(n.open??n.link)!=
"function")throw new TypeError(`${e} must be a file store such as diskFiles({ folder }): it has neither open nor link.`);return R($n)(`${e}.fetch`,n.fetch),n},Nm=rt("a Standard Schema, such as one of \
valibot, zod or arktype",["~standard.validate"]),Im=(e,t)=>{let n=pe(e,t," such as { text: '0.04 USD per image' }");return B()(`${e}.text`,n.text),n},kr=(e,t)=>{let n=pe(e,t," with id, outputKind and \
input");return B()(`${e}.id`,n.id),le("image","video")(`${e}.outputKind`,n.outputKind),Nm(`${e}.input`,n.input),R(N(1,3650))(`${e}.retentionDays`,n.retentionDays),R(N(0))(`${e}.typicalMs`,n.typicalMs),
R(Im)(`${e}.price`,n.price),n},$m=rt("a provider such as proceduralProvider()",["submit","poll"]),Vi=(e,t)=>{let n=$m(e,t);return B()(`${e}.name`,n.name),R(N())(`${e}.callTimeoutMs`,n.callTimeoutMs),R(
N())(`${e}.maxConcurrentJobs`,n.maxConcurrentJobs),Ge("a list of models",kr)(`${e}.models`,n.models),n};function fe(e){if(typeof e!="object"||e===null||Object.isFrozen(e))return e;Object.freeze(e);for(let t in e)fe(e[t]);return e}function Un(e,t){let{owner:n,model:o,metadata:r,webhook:s,idempotency:i,handle:a,outputs:c,error:d}=e,u=Ki(e.input,t?.input),l=Ki(e.task===e.input?void 0:e.task,t?.task),p=n.length+o.length+Ve(r)+Ve(s)+
Ve(i?.key)+Ve(a)+Ve(c)+Ve(d);return{bytes:2*(450+u.length+l.length+p),input:u,task:l}}function zi(e,{bytes:t,task:n}=Un(e)){return t/2-n.length}function Ki(e,t){return t&&t.value===e?t:{value:e,length:Ve(
e)}}var Um=5;function Ve(e){if(typeof e=="string")return e.length+2;if(typeof e!="object"||e===null)return e===void 0?0:Um;let t=2;if(Array.isArray(e))for(let n of e)t+=Ve(n)+1;else for(let n in e)t+=
n.length+Ve(e[n])+4;return t}function Yi(e,t){let n=xr(e,t),o=e[n]??=[];o.splice(vr(o,t),0,t),o.length>512&&e.splice(n+1,0,o.splice(512/2))}function Qi(e,t){let n=xr(e,t),o=e[n]??[],r=vr(o,t);o[r]===t&&(o.splice(r,1),o.length===0&&
e.splice(n,1))}function*Xi(e,t){for(let n=t===void 0?e.length-1:xr(e,t);n>=0;n--){let o=e[n]??[],r=t===void 0?o.length:vr(o,t);for(;r>0;)yield o[--r]}}function xr(e,t){return Math.max(0,Zi(e.length,n=>e[n][0]>
t)-1)}function vr(e,t){return Zi(e.length,n=>e[n]>=t)}function Zi(e,t){let[n,o]=[0,e];for(;n<o;){let r=n+o>>>1;t(r)?o=r:n=r+1}return n}function $e(e,t=0){let n=new Map,o=0;return{get held(){return o},fits:r=>o+r<=e,mayHave(r,s){let i=n.get(r)??0;return i===0||i+s<=Math.max(t,e-o-s)},add(r,s){o+=s;let i=(n.get(r)??0)+s;i===0?n.delete(
r):n.set(r,i)}}}function ta(e){let t=new Map;return{add(n){if(t.delete(n.job),t.set(n.job,Object.freeze(n)),t.size>e)for(let o of t.keys())return void t.delete(o)},find({owner:n,from:o,to:r,after:s,limit:i}){return[...t.
values()].filter(a=>(n===void 0||a.owner===n)&&a.endedAt>=o&&a.endedAt<r).filter(a=>!s||ea(s,a)<0).toSorted(ea).slice(0,i)}}}function ea(e,t){return e.endedAt!==t.endedAt?e.endedAt-t.endedAt:e.job===t.
job?0:e.job<t.job?-1:1}function me(e,t){t.before=e.last,t.after=void 0,e.last?e.last.after=t:e.first=t,e.last=t}function de(e,t){let{before:n,after:o}=t;!n&&e.first!==t||(n?n.after=o:e.first=o,o?o.before=n:e.last=n,t.before=
t.after=void 0)}function It(e,t){e.last!==t&&(de(e,t),me(e,t))}var jm=4;function na({maxJobs:e,maxBytes:t}){let n=new Map,o=new Map,r=new Map,s=0;function i({count:l,bytes:p}){if(l===0)return;let f=Math.max(l/e,p/t),m=Math.floor(jm*Math.log2(f)),y=r.get(m);if(y)return y;
let h={height:m};return r.set(m,h),h}function a(l){let{level:p,owner:f}=l,m=i(l);m!==p&&(p&&de(p,l),p&&!p.first&&r.delete(p.height),l.level=m,m?me(m,l):o.delete(f))}function c(l){let p=o.get(l);if(p)return p;
let f={owner:l,jobs:{},count:0,bytes:0,level:void 0};return o.set(l,f),f}function d(l){let p=n.get(l);if(!p)return;let{bytes:f,holding:m}=p;n.delete(l),s-=f,de(m.jobs,p),m.count--,m.bytes-=f,a(m)}function u(l){
let{holding:p}=l;It(p.jobs,l),p.level&&It(p.level,p)}return{get count(){return n.size},get bytes(){return s},peek:l=>n.get(l)?.job,read(l){let p=n.get(l);return p&&u(p),p?.job},add(l,p){d(l.id);let f=c(
l.owner),m={job:l,bytes:p,holding:f,before:void 0,after:void 0};n.set(l.id,m),s+=p,me(f.jobs,m),f.count++,f.bytes+=p,a(f),u(m)},remove:d,takeOne(){let l=r.get(Math.max(...r.keys()))?.first?.jobs.first;
return l&&d(l.job.id),l?.job}}}function wt(e){let{id:t,owner:n,model:o,provider:r,phase:s,costUsd:i,isCostKnown:a,createdAt:c,startedAt:d,completedAt:u,outputs:l}=e;if(!(u===void 0||s!=="completed"&&s!=="failed"))return{job:t,owner:n,
model:o,...r!==void 0&&{provider:r},outcome:s,...(a||i>0)&&{costUsd:i},outputs:s==="completed"?l.length:0,createdAt:c,...d!==void 0&&{startedAt:d},endedAt:u}}function Q(e,...t){let n;for(let o of t)e[o]!==void 0&&(n??={...e},n[o]=void 0);return n??e}function oa(e,t,n){let{until:o,token:r,route:s,provider:i,nextPoll:a,isInsert:c}=t,d=(e.abandonedClaims??0)+(Fm(e,t)?1:0),u=Q(e,"isHinted","isQuiet","abandonedClaims"),l={revision:c?e.revision:e.revision+
1,updatedAt:n,claimedUntil:o,claimToken:r,...a&&{...a,isQuiet:!0},...d>0&&{abandonedClaims:d}};return e.phase!=="accepted"?{...u,...l}:{...Sr(u,s),...l,...i!==void 0&&{provider:i},phase:"submitting",startedAt:Math.
max(n,e.createdAt),submitToken:r}}function Sr(e,t){return t===e.route?e:t===void 0?Q(e,"route"):{...e,route:t}}function Fm({claimedUntil:e,isQuiet:t},{holder:n}){return e===void 0?!1:t?n==="ended":n!==
"alive"}function ra(e,t){let{webhook:n}=e;if(!n)return e;let{url:o,events:r,attempts:s}=n,i={url:o,events:r,...s&&{attempts:s}};return kt({...e,webhook:r.includes(Er(e))?{...i,dueAt:t}:i})}function Er({phase:e}){
return e==="completed"?"job.completed":"job.failed"}function sa(e){if(!e.webhook)return e;let{dueAt:t,token:n,failed:o,...r}=e.webhook;return{...e,webhook:r}}function ia(e,t){let{webhook:n}=e;if(n?.dueAt===
void 0)return t.type==="delivering"?"not_due":"not_claimed";if(t.type==="delivering")return kt({...e,webhook:{...n,dueAt:t.until,token:t.token}});if(n.token!==t.token)return"not_claimed";let{dueAt:o,token:r,
failed:s=0,attempts:i=[],...a}=n,{attempt:c}=t,d=t.type==="undelivered"?t.retryAt:void 0,u={...a,attempts:c?[...i,c].slice(-20):i,...d!==void 0&&{dueAt:d,failed:s+(c?1:0)}};return kt({...e,webhook:u})}
function kt(e){let t=[e.earliestAt,e.webhook?.dueAt].filter(n=>n!==void 0);return{...e,dueAt:t.length===0?void 0:Math.min(...t)}}function jn(e,t,n){let r={...Q(Dn(Bn(e)),"task","submitToken"),phase:t,completedAt:Math.max(n,e.startedAt??e.createdAt)};return ra(r,n)}function Rr(e,t,n){let o={...jn(e,"completed",n),attempts:0};return t===
void 0?o:kt({...o,earliestAt:t})}function Fn(e,t){return t===void 0?e:{...e,costUsd:t,isCostKnown:!0}}function aa({startedAt:e,handle:t,costUsd:n,isCostKnown:o},r){return t!==void 0||o||n>0||r==="subm\
it_ambiguous"?!1:e===void 0||Bm.has(r)}var Bm=new Set(["provider_rejected","input_fetch_failed"]);function Or(e,t){let n={code:"canceled",message:"The job was canceled before it was submitted."};return Fn(
{...jn(e,"failed",t),error:n},0)}function ca({phase:e,claimToken:t},n){return e==="accepted"||e==="submitting"&&t!==void 0&&t===n}function da(e){return{...Q(Bn(e),"task","submitToken","webhook"),phase:"\
failed",expiresAt:0}}function Bn(e){return Q(st(e),"dueAt","earliestAt")}function st(e){return Q(e,"claimedUntil","abandonedClaims","isHinted","isQuiet")}function Dn(e){return Q(e,"unknown","setback")}var Dm=[.6,.8,1,1.25,1.6],Wm=1e4,Tr={least:1e4,most:12e4},Ar={latest:[],sorted:[],trustMs:Tr.least};function ua(e){let t=new Map;for(let{id:n,typicalMs:o}of e){if(o===void 0)continue;let r=Dm.map(s=>s*
o);t.set(n,{...Ar,latest:r,sorted:r})}return{delayMs(n,o){let{sorted:r,trustMs:s}=t.get(n)??Ar,i=Gm(r,o),a=i===void 0?Math.min(Wm,(o-(r.at(-1)??0))/4):Math.min(i-o,Math.max(s,o/2));return Math.max(1e3,
a)},observe(n,o,r=.9*o){let{latest:s,sorted:i,trustMs:a}=t.get(n)??Ar,c=Math.max((r+o)/2,.85*o),d=s.length<100?[]:s.slice(0,1);t.set(n,{latest:[...s.slice(d.length),c],sorted:qm(i,d,c),trustMs:Math.min(
Tr.most,a+Tr.least)})}}}function qm(e,t,n){let o=[...e];for(let s of t)o.splice(o.indexOf(s),1);let r=o.findIndex(s=>s>n);return o.toSpliced(r<0?o.length:r,0,n)}function Gm(e,t){let n=e.findIndex(a=>a>
t);if(n<0)return;let o=n===0?e[0]:t,r=Math.max(1,n),s=0,i=r;for(let a=r;a<=e.length;a++){let c=e[a]??Number.POSITIVE_INFINITY;for(;e[i]<=c+1e3;)i++;let d=Math.max(0,i-a-1),u=(e.length-r)*72+d*250-s;if(u<=
0)return o;let l=c-o,p=a-r;if(l*(p+.5)>=u)return o+2*u/(p+Math.sqrt(p**2+2*u/l));s+=l*(p+.5),o=c}return o}function H(e,t,n){if(t.type==="claim")return C(e)&&(n>=e.expiresAt||!xt(e))?"finished":Pe(e,n)?"already_claimed":St(e,n)?oa(e,t,n):"not_due";if(t.type==="running")return C(e)?"finished":e.claimedUntil===
void 0?"not_claimed":e.phase==="collecting"?"wrong_phase":Hm(e,t,n);let o="why"in t&&t.why!==void 0?{setback:{why:t.why,at:n}}:{},r={...e,revision:e.revision+1,updatedAt:n,...o};if(t.type==="undeletab\
le")return C(e)?{...r,deleteAt:t.retryAt}:"wrong_phase";if(t.type==="deleted")return C(e)?{...r,expiresAt:0,deletedAt:n}:"wrong_phase";if(t.type==="delivering"||t.type==="delivered"||t.type==="undeliv\
ered")return C(e)?t.type!=="delivering"||Cr(e,n)?ia(r,t):"not_due":"wrong_phase";if(t.type==="adopted"||t.type==="retaken")return Vm(e,r,t,n);if(C(e)&&!(xt(e)&&Km.has(t.type)))return"finished";if(t.type===
"hinted")return e.phase==="running"?la(r,t.pollAt,n):"wrong_phase";if(t.type==="cancelAsked"){if(e.phase==="collecting")return"wrong_phase";if(e.cancelAskedAt!==void 0)return"already_asked";let s={...r,
cancelAskedAt:n};return e.phase==="accepted"?Or(s,n):la(s,n,n)}if(t.type==="withdrawn")return ca(e,t.unusedClaim)?da(r):"wrong_phase";if(e.claimedUntil===void 0)return"not_claimed";switch(t.type){case"\
freed":return{...Q(r,"claimToken","isQuiet"),claimedUntil:n};case"renew":{let{claimToken:s}=e,i=t.isSubmit&&s!==void 0&&e.phase==="submitting",a={...Q(r,"isQuiet"),claimedUntil:t.until};return i?{...a,
submitToken:s}:a}case"refused":{if(e.phase==="running")return $t(r,t.retryAt);if(e.phase!=="submitting")return"wrong_phase";let{retryAt:s,nextRoute:i}=t,a=Q(Sr($t(r,s),i),"startedAt","submitToken");if(e.
cancelAskedAt!==void 0)return Or(a,n);let c=i===void 0?a.attempts:e.attempts;return{...a,phase:"accepted",attempts:c}}case"unknown":{let{since:s=n,count:i=0}=e.unknown??{};return{...$t(r,t.retryAt),checkedAt:n,
unknown:{since:s,count:i+1}}}case"postponed":return $t(pa(r),t.retryAt);case"interrupted":{let{outputs:s=e.outputs}=t;return{...st(pa(r)),outputs:s,earliestAt:n,dueAt:n}}case"succeeded":{if(e.phase===
"collecting")return"wrong_phase";if(t.outputs.length===0)return"no_outputs";let{outputs:s,inferenceMs:i=Math.max(0,n-(e.startedAt??n))}=t,a=Q(Dn(r),"abandonedClaims","isQuiet"),c=Fn({...a,phase:"colle\
cting",checkedAt:n,outputs:s,inferenceMs:i},t.costUsd);return t.collected?Rr(c,t.collected.copyAt,n):{...c,attempts:0}}case"collected":{if(e.phase!=="collecting")return"wrong_phase";let{outputs:s,copyAt:i}=t;
return s.length===0?"no_outputs":Rr({...r,outputs:s},i,n)}case"copied":{if(e.phase!=="completed")return"wrong_phase";let{outputs:s,retryAt:i}=t;return kt({...i===void 0?Bn(r):$t(r,i),outputs:s})}case"\
failed":{let{code:s,message:i}=t,a=t.costUsd??(aa(e,s)?0:void 0),c=s==="submit_ambiguous";if(c&&e.phase==="running")return $t(r,n);let d=jn(r,"failed",n),u=Fn({...d,error:{code:s,message:i}},a),{task:l,
submitToken:p}=e;return c?{...u,...l&&{task:l},...p&&{submitToken:p}}:u}}}function Hm(e,t,n){let{handle:o,earliestAt:r,dueAt:s,pollAfterMs:i}=t,a=Math.min(s,n+1e3),c=e.cancelAskedAt!==void 0&&e.phase===
"submitting";return{...Q(Dn(st(e)),"pollAfterMs"),revision:e.revision+1,updatedAt:n,earliestAt:c?n:e.isHinted?a:r,dueAt:c?n:e.isHinted?a:s,...i!==void 0&&{pollAfterMs:i},checkedAt:n,attempts:0,phase:"\
running",handle:o}}function Vm(e,t,n,o){if(!vt(e))return C(e)?"finished":"wrong_phase";let r=sa(Q(t,"error","completedAt")),s=Math.min(e.expiresAt,o+e.deadlineAt-e.createdAt),i={...r,...C(e)&&{deadlineAt:Math.
max(e.deadlineAt,s)}},a=e.startedAt??Math.max(o,e.createdAt);if(n.type==="retaken"){let{until:u,token:l}=n;return{...st(i),phase:"submitting",startedAt:a,claimedUntil:u,claimToken:l,dueAt:o}}let c=Pe(
e,o)?{...Q(i,"abandonedClaims"),isHinted:!0}:Q(st(i),"claimToken"),{handle:d}=n;return{...c,phase:"running",startedAt:a,handle:d,attempts:0,earliestAt:o,dueAt:o}}function vt({phase:e,error:t}){return e===
"accepted"||e==="submitting"||t?.code==="submit_ambiguous"}function C(e){return e.phase==="completed"||e.phase==="failed"}function it(e){return e.dueAt!==void 0}function xt({dueAt:e,earliestAt:t,webhook:n}){
return e!==void 0&&(t!==void 0||n?.dueAt===void 0)}function Cr({webhook:e},t){return e?.dueAt!==void 0&&Wn(e.dueAt,t)}function Pe(e,t){return e.claimedUntil!==void 0&&!Wn(e.claimedUntil,t)}function Ut({
isQuiet:e,updatedAt:t,checkedAt:n}){return e?t:n}function St(e,t){return(C(e)?xt(e):it(e))&&!Pe(e,t)&&(e.earliestAt===void 0||Wn(e.earliestAt,t))}function fa(e,t){return e.dueAt!==void 0&&Wn(e.dueAt,t)&&
!Pe(e,t)}var Z=60*6e4;function Wn(e,t){return e<=t||e>t+Z}var Km=new Set(["freed","renew","interrupted","copied"]);function la(e,t,n){let o={...e,dueAt:t,isHinted:!0};return e.isQuiet?{...st(o),isHinted:!0,
earliestAt:t}:Pe(e,n)?o:{...o,earliestAt:t}}function pa(e){return e.phase==="submitting"&&e.submitToken===e.claimToken?Q(e,"submitToken"):e}function $t(e,t){return{...st(e),attempts:e.attempts+1,earliestAt:t,
dueAt:t}}function U(e){try{let t=String(e instanceof Error?e.message:e),n=Ym(ma(t,2*1e3)).replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu," ");return(n.length>1e3||t.length>2*1e3?`${ma(n,1e3)}\u2026`:
n).toWellFormed()}catch{return"something that has no text"}}function ma(e,t){return e.length>t?e.slice(0,t).replace(/[\ud800-\udbff]$/,""):e}var zm=[[/\b(Bearer|Basic)( +|%20)[\w.~+/=-]{15,}[\w~+/=-]/gi,
"$1$2[secret]"],[/\b(Key|Token) +(?=[^\d\s]*\d+[^\d\s]+\d+[^\d\s]+\d)[\w.~+/:=-]{15,}[\w~+/=-]/gi,"$1 [secret]"],[/((?<![a-z])(?:(?:api|access|auth|secret|client|refresh|session|private|id)?[-_]?(?:key|token|secret|password|signature|sig)|authorization)["'\\]*\s?[=:]\s?["'\\]*)(?=[^\s"'&,]*\d)[^\s"'&,/]{12}[^\s"'&,]*/gi,
"$1[secret]"],[/\b(?:(?:sk|r8|hf|fal|xai|luma|key|rw|gh[opsu])[-_]|whsec_|AIza)(?=[\w-]*\d)[\w+/=-]{16,}/g,"[secret]"],[/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,"[secret]"],[/(:\/\/)[^\s/@]+(?=@)/g,"$1[se\
cret]"],[/(\/(?:callbacks\/[^\s/]+|inputs)\/[^\s/]+\/)\w{16,}/g,"$1[secret]"]];function Ym(e){return zm.reduce((t,[n,o])=>t.replace(n,o),e)}function xe(e,t){let{job:n,owner:o,model:r,provider:s,task:i}=D(e,t),a=s===void 0?"":`, provider ${s}`;return`Job ${n} (owner ${o}, model ${r}${a}${i===void 0?"":`, task ${i}`})`}function D(e,t=e.provider){
let{id:n,owner:o,model:r,route:s,handle:i}=e,a=i===void 0?void 0:U(JSON.stringify(i));return{job:n,owner:U(o),model:r,provider:t,route:s,task:a}}function at({id:e},t){return`${e}-${t}`}async function K(e,t,n){if(await e.replace(t,n)==="replaced")return"written";let o=await e.get(t.id);return o&&Qm(o,t)?"written":o}function Qm(e,{revision:t,phase:n,claimToken:o,isHinted:r,cancelAskedAt:s,
expiresAt:i,webhook:a}){return e.revision===t&&e.phase===n&&e.claimToken===o&&e.isHinted===r&&e.cancelAskedAt===s&&e.expiresAt===i&&e.webhook?.token===a?.token}var ya={heldUp:2e3,other:100};function qn(e,t,n){let o=e.uptime()+t,r=e.after(t,()=>{r=e.uptime()-o>=1e3?qn(e,ya.heldUp,n):e.after(ya.other,n)});return()=>r()}function M(e,t,n,o,r){let s=()=>new Error(
`The ${n} had not answered when the service closed.`);return r?.hasEnded?Promise.reject(s()):new Promise((i,a)=>{let c=qn(e,t,()=>a(new Error(`The ${n} has not answered within ${t} ms.`))),d=r?.onEnd(
()=>{c(),a(s())}),u=()=>{c(),d?.()};Promise.resolve().then(o).finally(u).then(i,a)})}function ct(e,t,n){return new Promise(o=>{let r=e.after(t,o),s=()=>{r(),o()};n.then(s,s)})}var Xm=1440*60*1e3,Zm=16,ha=1e4,ey={least:6e4,most:360*6e4};function ga(e,t){return e+t*Xm}function z(e,t){return t>=e.expiresAt}async function ba(e,t){let{jobs:n,clock:o}=e,r=await n.expired(o.now(),
t),s=r.filter(a=>!Pe(a,o.now())),i=async()=>{for(let a=s.pop();a;a=s.pop())await ka(e,a)};return await Promise.all(Array.from({length:Zm},i)),r.length}async function wa(e,t){await(Pe(t,e.clock.now())?
cn(t,e):ka(e,t))}async function ka(e,t){try{await cn(t,e)}catch(n){return ty(e,t,n)}await e.jobs.delete(t.id)}async function ty({jobs:e,clock:t,log:n},o,r){let s=t.now(),{least:i,most:a}=ey,c=Math.min(
a,Math.max(i,s-(o.deletedAt??o.expiresAt))),d=H(o,{type:"undeletable",retryAt:s+c},s);if(typeof d!="string"&&await K(e,d,o.revision),o.deleteAt!==void 0)return;let u=o.deletedAt===void 0?"has expired":
"was deleted";n.error(`${xe(o)} ${u}, but its files can't be deleted; the tries go on: ${U(r)}`,D(o))}async function Et(e,t){let n=await t.jobs.get(e.id);(!n||z(n,t.clock.now()))&&await cn(e,t)}async function cn(e,{
files:t,spool:n,clock:o}){for(let[r,{fileKey:s=at(e,r)}]of e.outputs.entries())await M(o,ha,"file store",()=>t.delete(s)),n&&await M(o,ha,"spool",()=>n.delete(s))}var _r={maxJobs:R(N(),1e5),maxBytes:R(N(),256*1024*1024)},xa=3600*1e3,va=new WeakSet;function Hn(e){return va.has(e)}function Sa(e){let{maxJobs:t,maxBytes:n}=$("memoryJobStore",e,_r),o=new Map,r=$e(n),
s=new Set,i=new Map,a=new Map,c=new Map,d=na({maxJobs:t,maxBytes:n}),u=ta(t),l=k=>{};function p(k){s.delete(k.id),k.idempotency&&i.get(k.idempotency.key)===k.id&&i.delete(k.idempotency.key);let E=a.get(
k.owner)??[];Qi(E,k.id),E.length===0&&a.delete(k.owner),m(k)}function f(k){let E=Gn(k);c.set(E,(c.get(E)??new Set).add(k.id))}function m(k){let E=Gn(k),S=c.get(E);S?.delete(k.id),S?.size===0&&c.delete(
E)}function y(k){let E=o.get(k);E&&(o.delete(k),r.add(E.job.owner,-E.size.bytes))}function h(k,E){y(k.id),o.set(k.id,{job:k,size:E}),r.add(k.owner,E.bytes)}function b({owner:k},{bytes:E}){return o.size<
t&&r.fits(E)&&r.mayHave(k,E)}function g(k=0,E=0){let S=()=>o.size+d.count+k>t||r.held+d.bytes+E>n;for(;S();){let O=d.takeOne();if(!O)return;p(O),l(O)}}function w(k){return o.get(k)?.job??d.peek(k)}function x(k,E){
let S=i.get(k),O=S===void 0?void 0:w(S);return O&&!z(O,E)?O:void 0}let A={async insert(k){fe(k);let E=k.idempotency&&x(k.idempotency.key,k.createdAt);if(E)return{outcome:"duplicate",job:E};let S=Un(k);
if(!b(k,S))return{outcome:"full"};h(k,S),k.idempotency&&i.set(k.idempotency.key,k.id);let O=a.get(k.owner)??[];return Yi(O,k.id),a.set(k.owner,O),f(k),g(),{outcome:"inserted"}},async findByIdempotencyKey(k,E){
return x(k,E)},async get(k){return o.get(k)?.job??d.read(k)},async replace(k,E){let S=w(k.id);if(S?.revision!==E)return"stale";fe(k),Gn(S)!==Gn(k)&&(m(S),f(k));let O=C(S)?void 0:wt(k);O&&u.add(O);let P=Un(
k,o.get(k.id)?.size);d.remove(k.id);let T=C(k)?xt(k):it(k);return!T&&it(k)?s.add(k.id):s.delete(k.id),T?(h(k,P),g()):(y(k.id),g(1,P.bytes),d.add(k,P.bytes)),"replaced"},async due(k,E,S=0){let O=Array.
from(s,P=>d.peek(P)).filter(P=>P!==void 0);return[...Array.from(o.values(),({job:P})=>P),...O].filter(P=>fa(P,k)).toSorted((P,T)=>(P.dueAt??0)-(T.dueAt??0)).slice(S,S+E).map(P=>P.id)},async expired(k,E){
let S=[];for(let[O,P]of c)if(!(O*xa>k))for(let T of P){let J=w(T);if(J&&C(J)&&Ea(J)<=k&&S.push(J),S.length===E)return S}return S},async delete(k){let E=w(k);E&&p(E),y(k),d.remove(k)},async costs(k){return u.
find(k)},async list({owner:k,from:E="",before:S,limit:O,maxLength:P}){let T=[],J=0;for(let _ of Xi(a.get(k)??[],S)){if(_<E||T.length===O)break;let I=w(_);if(I){if(J+=zi(I,o.get(_)?.size),J>P&&T.length>
0)break;T.push(I)}}return T},onForgotten(k){l=k}};return va.add(A),A}function Ea({deleteAt:e,expiresAt:t}){return e??t}function Gn(e){return Math.floor(Ea(e)/xa)}function Mr(){let e=new Map;return{publish(t,n){let o=e.get(t);o&&Ra(Array.from(o),n)},subscribe(t,n){let o=e.get(t)??new Set,r={hear:n};return e.set(t,o.add(r)),()=>{r.hear=void 0,o.delete(r),o.size===
0&&e.get(t)===o&&e.delete(t)}}}}function Ra(e,t,n=0){let o=n+50;for(let r of e.slice(n,o))r.hear?.(t);o<e.length&&setTimeout(()=>Ra(e,t,o))}function Ke(){return{...Mr(),news:Mr()}}function ye(){return{now:Date.now,uptime:()=>performance.now(),after:(e,t)=>(e>Lt?ny:Jr)(e,t)}}function Jr(e,t){let n=setTimeout(t,e);return oy(n),()=>clearTimeout(n)}function ny(e,t){let n=performance.
now()+e,o=()=>{},r=()=>{let s=n-performance.now();o=s>Lt?Jr(Lt,r):Jr(s,t)};return r(),()=>o()}function oy(e){typeof e=="object"?e.unref?.():typeof e=="number"&&globalThis.Deno?.unrefTimer(e)}function Rt(e){let t=new Map,n=new Map,o,r=!1;function s(i,a){if(r)return;if(!o)return void n.set(i,a);t.get(i)?.();let c=e.after(Math.max(0,a-e.now()),()=>{t.delete(i);let d=a-e.now();d>0&&d<=2?s(i,a):
o?.(i)});t.set(i,c)}return{wakeAt:s,start(i){o=i;for(let[a,c]of n)s(a,c);n.clear()},async stop(){r=!0;for(let i of t.values())i();t.clear(),n.clear()}}}var ry={..._r,clock:R(He)};function Oa(e){let{clock:t=ye(),...n}=$("memoryBackend",e,ry),o=Rt(t);return{jobs:Sa(n),scheduler:o,signals:Ke(),durable:!1,close:()=>o.stop()}}import{LRUCache as sy}from"lru-cache";var iy={maxBytes:R(N(),512*1024*1024)},Aa=64*1024;function Ta(e){let{maxBytes:t}=$("memoryFileStore",e,iy),n=new sy({maxSize:t,sizeCalculation:s=>s.bytes.byteLength+1}),o=0;async function r(s){let i=0,
c=an({expectedBytes:t,onGrow:d=>{if(o+d>t)throw Lr(t);o+=d,i+=d}});try{for await(let d of s){if(!(d instanceof Uint8Array))throw new TypeError("The body of a file must be a stream of Uint8Array.");if(c.
size+d.byteLength>=t)throw Lr(t);c.add(d)}return c.whole()}catch(d){throw c.drop(),d}finally{o-=i}}return{async put(s,i,a){let c=i instanceof Uint8Array?new Uint8Array(i):await r(i);if(c.byteLength>=t)
throw Lr(t);n.set(s,{bytes:c,contentType:a})},async open(s){let i=n.get(s);if(!i)return;let{bytes:a,contentType:c}=i;return{size:a.byteLength,contentType:c,read:(d={start:0,end:a.byteLength-1})=>ay(a.
subarray(d.start,d.end+1))}},async delete(s){n.delete(s)},async*list(s){for(let i of n.keys())i.startsWith(s)&&(yield i)}}}function Lr(e){return new RangeError(`The file does not fit into a memory fil\
e store of ${e} bytes, beside the files that come in now.`)}function ay(e){let t=0;return new ReadableStream({pull(n){if(t>=e.byteLength)return n.close();n.enqueue(e.slice(t,t+Aa)),t+=Aa}})}var Pa=["provider_rejected","content_policy","provider_failed","provider_lost","output_invalid","input_fetch_failed"];var he={invalid_json:{status:400,type:"invalid_request_error"},invalid_request:{status:400,type:"invalid_request_error"},missing_field:{status:400,type:"invalid_request_error"},model_not_found:{status:400,
type:"invalid_request_error"},wrong_output_kind:{status:400,type:"invalid_request_error"},content_policy:{status:400,type:"invalid_request_error"},missing_api_key:{status:401,type:"authentication_erro\
r"},invalid_api_key:{status:401,type:"authentication_error"},model_not_allowed:{status:403,type:"permission_error"},origin_not_allowed:{status:403,type:"permission_error"},job_not_found:{status:404,type:"\
not_found_error"},file_not_ready:{status:404,type:"not_found_error"},file_not_found:{status:404,type:"not_found_error"},route_not_found:{status:404,type:"not_found_error"},method_not_allowed:{status:405,
type:"invalid_request_error"},request_timeout:{status:408,type:"invalid_request_error"},idempotency_in_progress:{status:409,type:"invalid_request_error",retryAfterSeconds:1},job_finished:{status:409,type:"\
invalid_request_error"},job_processing:{status:409,type:"invalid_request_error",retryAfterSeconds:3},request_too_large:{status:413,type:"invalid_request_error"},unsupported_media_type:{status:415,type:"\
invalid_request_error"},range_not_satisfiable:{status:416,type:"invalid_request_error"},idempotency_key_reused:{status:422,type:"invalid_request_error"},rate_limit_exceeded:{status:429,type:"rate_limi\
t_error",retryAfterSeconds:3},too_many_running_jobs:{status:429,type:"rate_limit_error",retryAfterSeconds:3},insufficient_quota:{status:429,type:"rate_limit_error"},internal_error:{status:500,type:"se\
rver_error"},not_supported:{status:501,type:"server_error"},store_unavailable:{status:503,type:"server_error",retryAfterSeconds:3},capacity_exceeded:{status:503,type:"server_error",retryAfterSeconds:3},
moderation_unavailable:{status:503,type:"server_error",retryAfterSeconds:3},shutting_down:{status:503,type:"server_error",retryAfterSeconds:3}};var v=class extends Error{name="GenerationError";code;param;constructor(t,n,o={}){super(n,o.cause===void 0?void 0:{cause:o.cause}),this.code=t,this.param=o.param}};function ze(e){return new v("store_unavailable","The file store can not be reached. Try again.",{cause:e})}function dn(){let e={},t=new Map,n;function o(i){let{last:a}=e,c={owner:i,items:{}};return me(e,c),t.set(i,c),a&&a.owner===n&&It(e,a),c}function r(i,a){de(i.items,a),!i.items.first&&(de(e,i),t.get(i.owner)===
i&&t.delete(i.owner))}function s(i){for(let a=e.first;a;a=a.after)if(a.items.first&&i(a.items.first.item))return a}return{isEmpty:()=>e.first===void 0,count(){let i=0;for(let a=e.first;a;a=a.after)for(let c=a.
items.first;c;c=c.after)i++;return i},add(i,a){let c=t.get(i)??o(i),d={item:a};return me(c.items,d),()=>r(c,d)},first:(i=()=>!0)=>s(i)?.items.first?.item,next(i=()=>!0){let a=s(i),c=a?.items.first;if(!(!a||
!c))return r(a,c),a.items.first&&It(e,a),n=a.owner,c.item},passed(i){n=i}}}function jt(){let e=setInterval(()=>{},6e4);return()=>clearInterval(e)}function Ce(){return crypto.randomUUID().toLowerCase()}var cy=2**48-1,dy=4095,Nr={createdAt:Number.NaN,count:0};function Ca(e){let t=Ce(),n=e===Nr.createdAt?Math.min(Nr.count+1,dy):Number.parseInt(t.slice(15,18),16)>>1;Nr={createdAt:e,count:n};let o=t.slice(
19,23)+t.slice(24);return`${Vn(e)}${t.slice(14,15)}${n.toString(16).padStart(3,"0")}${o}`}function Vn(e){return`gen_${Math.min(Math.max(0,Math.ceil(e)),cy).toString(16).padStart(12,"0")}`}function dt(){let e=0,t=[];async function n(){if(e!==0)return await new Promise(o=>t.push(o)),n()}return{begin(){e++},end(){if(e--,e>0)return;let o=t;t=[];for(let r of o)r()},settled:n}}var uy={keys:16,keyLength:64,valueLength:512};function un(e){let{keys:t,keyLength:n,valueLength:o}=uy;if(e==null)return;if(typeof e!="object"||Array.isArray(e))throw Kn("must be an object");let r=Object.
entries(e);if(r.length!==0){if(r.length>t)throw Kn(`may have ${t} keys at the most`);for(let[s,i]of r){if(s===""||s.length>n||s==="__proto__")throw Kn(`may have keys of 1 to ${n} characters, other tha\
n __proto__`);if(typeof i!="string"||i.length>o)throw Kn(`may have texts of up to ${o} characters as values`)}return Object.fromEntries(r)}}function Kn(e){return new v("invalid_request",`metadata ${e}\
.`,{param:"metadata"})}var _a=2048,Ir=["job.completed","job.failed"];function Ma(e={},t){if(!$r(e))return;let{url:n,events:o}=e;if(!t)throw ln("webhook_url","is not accepted: this service sends no webhooks.");if(zn(n))throw ln(
"webhook_url","must be there, because there are webhook_events.");let s=typeof n=="string"&&n.length<=_a?URL.parse(n):null;if(s?.protocol!=="https:")throw ln("webhook_url",`must be an https URL of at \
most ${_a} characters.`);let i=t.refusal(s);if(i!==void 0)throw ln("webhook_url",i);return{url:s.href,events:zn(o)?Ir:ly(o)}}function $r({url:e,events:t}={}){return!zn(e)||!zn(t)}function ly(e){let t=Array.
isArray(e)?Ir.filter(n=>e.includes(n)):[];if(Array.isArray(e)&&t.length>0&&t.length===e.length)return t;throw ln("webhook_events",`must be a list of one or both of ${Ir.join(" and ")}.`)}function zn(e){
return e==null}function ln(e,t){return new v("invalid_request",`${e} ${t}`,{param:e})}var py="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";function ve(e){let t=new TextEncoder().encode(py),n=new Uint8Array(Math.ceil(e.length/3)*4),o=0;for(let s=0;s<e.length;s+=3){let i=e[s]<<16|e[s+1]<<8|e[s+2];n[o++]=t[i>>18],n[o++]=t[i>>12&63],n[o++]=t[i>>
6&63],n[o++]=t[i&63]}let r=(3-e.length%3)%3;return n.fill(61,n.length-r),new TextDecoder().decode(n)}function Ye(e){if(typeof e=="string")try{let t=atob(e),n=new Uint8Array(t.length);for(let o=0;o<t.length;o++)
n[o]=t.charCodeAt(o);return n}catch{return}}function Ue(e,t){return typeof e=="string"?t(e):typeof e!="object"||e===null?e:Array.isArray(e)?e.map(n=>Ue(n,t)):Object.fromEntries(Object.entries(e).map(([n,o])=>[n,Ue(o,t)]))}function Yn(e,t){let n=[];return pn(e,o=>(t(o)&&n.push(o),!1)),n}function pn(e,t){return typeof e=="string"?t(e):typeof e!="object"||e===null?!1:(Array.isArray(e)?e:Object.values(e)).some(o=>pn(o,t))}var La=/^data:([\w.+-]+\/[\w.+-]+)?(;[^\s,]*)?,/i,fy=100,my=65536;function Na(e){return pn(e,$a)?yy(e):e}function Ia(e){return!pn(e,t=>/^\[(?:data URI|text): .*\]$/s.test(t))}async function yy(e){let t=new Map;
for(let n of new Set(Yn(e,$a)))t.set(n,await hy(n,t.size<fy));return Ue(e,n=>t.get(n)??n)}function $a(e){return e.length>my||La.test(e)}function hy(e,t){let[n,o="text/plain",r=""]=La.exec(e)??[];if(n===
void 0){let a=new TextEncoder().encode(e);return Ja("text",`${e.length} characters`,t?a:void 0)}let s=gy(e.slice(n.length),/^;base64$/i.test(r.slice(-7))),i=`${o.slice(0,127)}, ${s.byteLength} bytes`;
return Ja("data URI",i,t?s:void 0)}async function Ja(e,t,n){return`[${e}: ${t}${n?`, sha256 ${await ke(n)}`:""}]`}function gy(e,t){return(t?Ye(e):by(e))??new TextEncoder().encode(e)}function by(e){try{
return new TextEncoder().encode(decodeURIComponent(e))}catch{return}}function Se(e){let t=Ur(e,0);if(t!==void 0)return t;let n=JSON.stringify(e);return n===void 0?void 0:JSON.parse(n)}function Ur(e,t){if(typeof e=="string"||typeof e=="boolean"||e===null)return e;if(typeof e==
"number")return Number.isFinite(e)?e||0:void 0;if(!(typeof e!="object"||t===50))return Array.isArray(e)?wy(e,t):ky(e,t)}function wy(e,t){if(Object.getPrototypeOf(e)!==Array.prototype||"toJSON"in e)return;
let n=[];for(let o of e){let r=Ur(o,t+1);if(r===void 0)return;n.push(r)}return n}function ky(e,t){if(Object.getPrototypeOf(e)!==Object.prototype||"toJSON"in e)return;let n={};for(let o of Object.keys(
e)){let r=Ur(e[o],t+1);if(r===void 0||o==="__proto__")return;n[o]=r}return n}function jr(e,t){let n=r=>xy(e,t,r),o=e.input["~standard"].validate(t);return"then"in o?Promise.resolve(o).then(n):n(o)}function xy(e,t,n){if(!n.issues)return vy(e,n.value);let o=n.issues[0],r=(o?.path??
[]).map(i=>typeof i=="object"?i?.key:i),s=U(r.map(String).join("."));throw new v(Sy(t,r)?"missing_field":"invalid_request",Ey(o,s),{param:s||"input"})}function vy(e,t){let n=Se(t);if(typeof n=="object"&&
n!==null&&!Array.isArray(n))return n;throw new TypeError(`The input schema of model ${e.id} must return an object.`)}function Sy(e,t){if(t.length===0)return!1;let n=e;for(let o of t)n=n?.[o];return n===
void 0}function Ey(e,t){let n=U(e?.message??"The input does not fit the model.");return t===""||n.includes(t)?n:`${t}: ${n}`}function Ua(e,{owner:t,input:n},o){let r=o?.in(t,n);if(r)return Ry(e,r);let s=jr(e,n);return s instanceof Promise?s.then(i=>({task:i})):{task:s}}async function Ry(e,t){let{input:n,restored:o,mustLiveUntil:r}=await t;
return{task:o(await jr(e,n)),mustLiveUntil:r}}var Oy=200,ja=20;function Fa(e,t){let n=new Set,o=dt();async function r(m,y){let h=i(m),b=un(m.metadata),g=Ma(m.webhook,e.webhooks),w=Ua(h,m,t.uploads),{task:x,mustLiveUntil:A}=w instanceof Promise?await w:
w,k=t.running.reserve(m.owner);try{t.admit&&await t.admit({owner:m.owner,model:h,input:x});let E=Na(x),S=E instanceof Promise?await E:E;t.start();let O=s(m.owner,h,{task:x,input:S,metadata:b,webhook:g},
y);A?.(O.deadlineAt);let P=await c(O);return t.running.saw(P.job),P}finally{k()}}function s(m,y,{task:h,input:b,metadata:g,webhook:w},x){let A=t.clock.now(),k=y.retentionDays??e.retentionDays,E=ga(A,k);
return{id:Ca(A),owner:m,model:y.id,outputKind:y.outputKind,phase:"accepted",revision:1,task:h,input:b,...g&&{metadata:g},...w&&{webhook:w},clientToken:Ce(),...x&&{idempotency:x},retentionDays:k,createdAt:A,
updatedAt:A,expiresAt:E,deadlineAt:Math.min(A+e.deadlineMs,E),dueAt:A,earliestAt:A,attempts:0,outputs:[],costUsd:0,inferenceMs:0}}function i({model:m,outputKind:y}){let h=t.modelOf(m);if(!h)throw new v(
"model_not_found",a(m),{param:"model"});if(y===void 0||h.outputKind===y)return h;let b=`The model ${h.id} makes ${h.outputKind} outputs; this endpoint makes ${y} outputs.`;throw new v("wrong_output_ki\
nd",b,{param:"model"})}function a(m){let y=t.models.map(b=>b.id),h=y.length>ja?" and others":"";return`There is no model ${JSON.stringify(m.slice(0,100))}; there are ${y.slice(0,ja).join(", ")}${h}.`}
async function c(m){let y=t.begin(m),h=y?.job??m;o.begin();let b;try{b=await t.jobs.insert(h)}catch(g){if(!await u(h))throw h.idempotency||t.withdraw(h),y?.abandon(!0),g;b={outcome:"inserted"}}finally{
o.end()}return b.outcome==="inserted"?y?.goOn():y?.abandon(!1),d(b,h)}function d(m,y){switch(m.outcome){case"inserted":return{job:y,replayed:!1};case"full":throw new v("capacity_exceeded","The service\
 has no room for another job now. Try again later.");case"duplicate":return l(m.job,y.idempotency)}}async function u(m){let{jobs:y,clock:h}=t;return await M(h,Oy,"job store",()=>y.get(m.id)).catch(()=>{})!==
void 0}function l(m,y){if(m.idempotency?.fingerprint===y?.fingerprint)return{job:m,replayed:!0};throw new v("idempotency_key_reused","This idempotency key was used with another body.",{param:"Idempote\
ncy-Key"})}async function p(m,y){let{model:h,input:b,metadata:g,webhook:w}=m,x=$r(w)?[g??null,w]:g?[g]:[],A=new TextEncoder().encode(JSON.stringify([h,b,...x])),k={key:y,fingerprint:await ke(A)},E=await t.
jobs.findByIdempotencyKey(y,t.clock.now());if(E)return l(E,k);if(n.has(y)){let S="A request with this idempotency key is in progress. Try again in a moment.";throw new v("idempotency_in_progress",S,{param:"\
Idempotency-Key"})}n.add(y);try{return await r(m,k)}finally{n.delete(y)}}async function f({id:m,owner:y,model:h,input:b,metadata:g,webhook:w}){let x=i({model:h}),A={key:JSON.stringify([y,"retry",m]),fingerprint:m},
k=await t.jobs.findByIdempotencyKey(A.key,t.clock.now());if(k)return l(k,A);let E=w&&{url:w.url,events:w.events},S=await c(s(y,x,{task:b,input:b,metadata:g,webhook:E},A));return t.running.saw(S.job),S}
return{acceptAgain:f,accept(m){if(!m.idempotency)return r(m,void 0);let{scope:y,key:h}=m.idempotency;return p(m,JSON.stringify([m.owner,y,h]))},settled:o.settled}}function Ba(e){let{child:t,bindings:n,groupEnd:o}=e,r=typeof t=="function"&&typeof n=="function",s=typeof o=="function";function i(a,c,{cause:d,...u}={}){let l=Object.entries(u).filter(([,y])=>y!==void 0),
p=Object.fromEntries(l);if(r){let y=d===void 0?p:{...p,err:d};return e[a].call(e,y,c)}let f=s?void 0:Ty(d),m={...p,...d!==void 0&&{cause:d},...f!==void 0&&{stack:f}};if(Object.keys(m).length===0)return e[a](
c);e[a](Ay(c),m)}return{warn:(a,c)=>i("warn",a,c),error:(a,c)=>i("error",a,c)}}function Ay(e){return e.replaceAll(/%(?=[a-z%])/gi,"% ")}function Ty(e){let t=[];for(let n=e;n instanceof Error&&t.length<
5;n=n.cause)t.push(n.stack??String(n));return t.length===0?void 0:t.join(`
Caused by: `)}function _e(e,t,n){let o={},r=0,s=()=>r<t,i=dn(),a=dn(),c=()=>!(i.isEmpty()&&a.isEmpty()),d;function u(){let f=e.uptime();for(;o.first&&o.first.until<=f;)p(o.first);for(;s()&&c();)(i.next()??a.next())?.();
d?.(),d=c()?e.after(n,u):void 0}async function l(f){let m={until:e.uptime()+n,isTaken:!0};me(o,m),r++;try{await f()}finally{m.isTaken&&(p(m),c()&&u())}}function p(f){de(o,f),f.isTaken=!1,r--}return{isFull:()=>!s(),
counts:()=>({running:r,waiting:i.count()+a.count()}),run(f,m=!1,y=""){let h=m?i:a;return s()?(h.passed(y),l(f)):new Promise(b=>{h.add(y,()=>b(l(f))),u()})}}}function Da(e,t){let n={submit:new Map,ask:new Map},o,r=!1,s=3e4,i,a=0,c=0;function d(f){let m=n[f];return m.size>=5&&(!r||new Set(m.values()).size>1)}function u(){if(i===void 0)return 0;let f=e.uptime();
return f<i?i-f:f<c?2e3:0}function l(f){n.ask.size>0&&n.ask.clear(),f==="submit"&&n.submit.size>0&&n.submit.clear(),!(i===void 0||d("submit")||d("ask"))&&(i=void 0,s=3e4,t(void 0))}function p(f,{id:m,owner:y},h){
let b=n[f];b.delete(m),b.set(m,y);for(let A of b.keys())b.size>5&&b.delete(A);if(!h&&!d(f))return;let g=i!==void 0;h&&(s=Math.min(6e5,s*2));let w=e.uptime();a=g?a:w;let x=h?w+s:Math.min(w+s,a+6e5);i=Math.
max(i??0,x),(!g||h)&&t(s)}return{pauseMs:u,isOpen:()=>i!==void 0,begin(f,m){if(o??=m.owner,r||=m.owner!==o,f==="submit"&&u()>0)return;let y=f==="submit"&&i!==void 0;return y&&(c=e.uptime()+18e4),h=>{y&&
(c=0),h==="answered"&&l(f),h==="fault"&&p(f,m,y&&i!==void 0)}}}}var Py=100,Cy=6e4,_y=20,My=5,Ot=5e3,Jy=6e4;function Wa(e,t,n,o){let{name:r,maxConcurrentJobs:s=Py,callTimeoutMs:i=Cy}=e,a=Da(t,c=>n.warn(c===void 0?`Provider ${r} answers again and is given new jobs.`:
`Provider ${r} is in trouble and is given no new jobs for ${c/1e3} s.`,{provider:r}));return{breaker:{pauseMs:()=>Math.max(o.pauseMs(),a.pauseMs()),isOpen:()=>o.pauseMs()>0||a.isOpen(),begin:(c,d)=>c===
"submit"&&o.pauseMs()>0?void 0:a.begin(c,d)},shortage:o,steps:_e(t,s,i+Jy),takingUp:_e(t,_y,Ot),suspects:{several:_e(t,My,Ot),single:_e(t,1,Ot)},callTimeoutMs:i}}var ut=2e3,Ly=20;function qa(e){let t=[],n,o=Number.NEGATIVE_INFINITY,r=Number.POSITIVE_INFINITY;function s(a=e.now()){let c=a-e.uptime();return n&&Math.abs(c-n.offset)>ut&&(t.push({...n,until:e.uptime()+
n.offset}),t.length>Ly&&t.shift(),n=void 0),n={from:n?.from??a,offset:c}}function i(a){let c=e.now(),{from:d,offset:u}=s(c);if(a>=d&&a<=c+ut)return 0;let l=t.findLast(p=>a>=p.from&&a<=(p.until??0)+ut);
return l?u-l.offset:a<=c?0:(o=Math.max(o,a-e.uptime(),...t.map(p=>p.offset)),u-o)}return{look(){let a=r;return r=s().offset,r<a-ut},retimed(a){if(a.updatedAt===void 0||!it(a))return a;let c=i(a.updatedAt);
return Math.abs(c)<=ut?a:Ny(a,c)}}}function Ny(e,t){let{deadlineAt:n,dueAt:o,earliestAt:r,claimedUntil:s,checkedAt:i,unknown:a,webhook:c}=e;return{...e,deadlineAt:Math.min(e.expiresAt,n+t),...o!==void 0&&
{dueAt:o+t},...r!==void 0&&{earliestAt:r+t},...s!==void 0&&{claimedUntil:s+t},...i!==void 0&&{checkedAt:i+t},...c?.dueAt!==void 0&&{webhook:{...c,dueAt:c.dueAt+t}},...a&&{unknown:{...a,since:a.since+t}}}}function Ft(){let e={},t={hasEnded:!1,onEnd(n){let o={listener:n};return t.hasEnded?n():me(e,o),()=>de(e,o)},end(){for(t.hasEnded=!0;e.first;){let{first:n}=e;de(e,n),n.listener()}}};return t}import Iy from"p-retry";var Ga=50,$y=5e3;function ge(e,t){let{clock:n,givingUp:o}=t;return e().catch(r=>{let s=n.uptime()+t.forMs,i=()=>o.hasEnded||n.uptime()>=s;if(i())throw r;return Ha(Ga,t).then(()=>Iy(
e,{retries:Number.POSITIVE_INFINITY,minTimeout:0,shouldRetry:()=>!i(),onFailedAttempt:({attemptNumber:a})=>Ha(Math.min($y,Ga*3**Math.min(a,9)),t)}))})}function Ha(e,{clock:t,givingUp:n}){return new Promise(
o=>{let r=t.after(e,()=>{s(),o()}),s=n.onEnd(()=>{r(),o()})})}async function Bt(e,t){let n=Fr(e);if(!(!t||n===void 0))return await t.hasEnded(n)?"ended":"alive"}function Fr(e=""){let t=e.indexOf(":");return t<0?void 0:e.slice(0,t)}var je=3e4,Va=je/3,Uy=15e3,jy=.8,Fy=je/2,By=3,Dy=5e3,fn=6e4,Wy=new Set(["refused","postponed","interrupted"]);async function Dr(e,t,n){let{route:o,provider:r,nextPoll:s,onBeat:i,onUnused:a}=n,{jobs:c,
clock:d,processes:u,givingUp:l}=e,p=t.claimedUntil===void 0?void 0:await Bt(t.claimToken,u),f=Wr(e,t,{route:o,provider:r,holder:p,nextPoll:s});if(!f)return;let m={clock:d,givingUp:l,forMs:Dy},y;try{if(y=
await ge(()=>K(c,f.job,t.revision),m),y==="written")return qr(e,f,i)}finally{y!=="written"&&f.job.phase==="submitting"&&a(f.job.claimToken??"")}return y?.webhook&&C(t)?Dr(e,y,n):void 0}function Wr({clock:e,
processes:t},n,o){let r=Br(e),s=t?`${t.id}:${Ce()}`:Ce(),i=H(n,{type:"claim",until:r.now+Gy(o.nextPoll,r.now),token:s,...o},r.now);return typeof i=="string"?void 0:{job:i,at:r}}function qr({jobs:e,clock:t,
clockSteps:n,processes:o,givingUp:r},{job:s,at:i},a){let c=s.claimToken??"",d=()=>t.now()+je,u=Ft(),l=i,p=s.phase==="submitting",f=t.uptime()+Math.max(fn,s.deadlineAt-t.now()),m=Promise.resolve(),y=0;
async function h(T,J){for(;;){let _=Br(t),I=qy(T,_.now-J.now-(_.uptime-J.uptime)),F=H(n.retimed(P.job),I,t.now());if(typeof F=="string")throw new Error(`A ${P.job.phase} job refuses ${I.type}: ${F}.`);
let G=await K(e,F,P.job.revision);if(G==="written"){F.claimedUntil!==void 0&&(l=_);let ne=C(F)?await e.get(F.id):void 0;return P.job=ne?.revision===F.revision?ne:F}let te=G?.claimToken===c&&G.claimedUntil!==
void 0?G:G&&await b(G,I);if(!te)return void u.end();P.job=te}}async function b(T,J){if(!p||!vt(T)||!g(T,J))return;let _=H(T,{type:"retaken",until:d(),token:c},t.now());if(typeof _=="string")return;let I=await K(
e,_,T.revision);return I==="written"?_:I&&b(I,J)}function g({phase:T,submitToken:J},_){return _.type==="running"||_.type==="succeeded"?!0:J!==c?!1:Wy.has(_.type)?T==="submitting":_.type==="failed"&&_.
code!=="submit_ambiguous"}function w(T){let J=Br(t),_=T.type==="renew"?0:Math.max(0,f-t.uptime()),I=()=>ge(()=>h(T,J),{clock:t,givingUp:r,forMs:_}),F=y===0?I():m.then(I),G=()=>{y--};return y++,m=F.then(
G,G),F}function x(){if(l.uptime<(o?.seenSince?.()??Number.NEGATIVE_INFINITY))return!1;let T=t.uptime()-l.uptime;return T<Fy&&Math.abs(t.now()-l.now-T)<ut}async function A(){for(let T=0;!x();T++){if(u.
hasEnded||T===By)return!1;await w({type:"renew",until:d()}).catch(()=>{})}return E()}async function k(){let T={type:"renew",until:d(),isSubmit:!0};return await w(T).catch(()=>{})!==void 0&&E()}function E(){
return!u.hasEnded&&P.job.cancelAskedAt===void 0}let S;function O(T=Va){S=t.after(T,()=>{O(),a(),y===0&&w({type:"renew",until:d()}).catch(()=>{})})}O(s.isQuiet?jy*((s.claimedUntil??0)-i.now):Va);let P={
job:s,lost:u,write:w,confirm:()=>x()?E():A(),resubmits:k,release:()=>S()};return P}function Br(e){return{now:e.now(),uptime:e.uptime()}}function qy(e,t){if(Math.abs(t)<=ut)return e;let o=Object.entries(
e).filter(([r])=>r.endsWith("At")||r==="until").map(([r,s])=>[r,s===void 0?s:Number(s)+t]);return{...e,...Object.fromEntries(o)}}function Gy(e,t){return e?Math.min(Uy,e.earliestAt-t):je}var Hy=6e3,Dt=5*6e4;async function Ka(e,t,n,o,r){let{files:s,spool:i,heldBytes:a,clock:c,log:d,givingUp:u}=e,l=f=>()=>f.put(t,n,o),p=()=>M(c,Dt,"file store",l(s),u);try{return await p()}catch(f){let m=a.
hold(n.byteLength),y=u.hasEnded?`The service closes${i?"; the spool gets the file":", so the file is not stored"}.`:m?"The file is held in memory and stored later.":"The file is lost unless the file s\
tore takes it within seconds: too many bytes are held in memory already.";d.warn(`The file store does not take ${t} (${U(f)}). ${y}`);let h=i&&M(c,Dt,"spool",l(i)).then(()=>!0,b=>{d.warn(`The spool do\
es not take ${t}: ${U(b)}`)});try{await ge(p,{clock:c,givingUp:u,forMs:m?r:Hy}),await h&&await M(c,Dt,"spool",()=>i?.delete(t))}finally{await h,m?.()}}}async function za(e,t){let{files:n,spool:o,clock:r,
givingUp:s}=e,i=o&&await M(r,Dt,"spool",()=>o.open?.(t),s);if(!i)return;let{contentType:a}=i;return await M(r,Dt,"file store",()=>n.put(t,i.read(),a),s),await M(r,Dt,"spool",()=>o.delete(t),s),a}var Ya=[["image/png",`\x89PNG\r

`],["image/jpeg","\xFF\xD8\xFF"],["image/gif","GIF8"],["image/webp","RIFF****WEBP"],["image/avif","****ftypavif"],["image/heic","****ftypheic"],["image/heic","****ftypheix"],["video/quicktime","****ft\
ypqt  "],["audio/mp4","****ftypM4A "],["video/mp4","****ftyp"],["video/webm","E\xDF\xA3"],["audio/wav","RIFF****WAVE"],["audio/mpeg","ID3"],["audio/mpeg","\xFF\xFB"],["audio/mpeg","\xFF\xFA"],["audio\
/mpeg","\xFF\xF3"],["audio/mpeg","\xFF\xF2"],["audio/ogg","OggS"],["audio/flac","fLaC"]];var Vy=/^(image|video)\/[\w.-]+$/;function Qn(e,t=""){let n=i=>Array.from(i).every((a,c)=>a==="*"||e[c]===a.charCodeAt(0)),o=Ya.find(([,i])=>n(i))?.[0];if(o!==void 0)return o;let r=t.toLowerCase(),s=Ya.
some(([i])=>i===r);return Vy.test(r)&&!s?r:"application/octet-stream"}var Xn=1024,Ky="application/octet-stream",Gr="image/svg+xml",zy=/^(?:\s+|<\?xml\s[^>]*\?>|<!--(?:(?!-->)[^])*-->|<!DOCTYPE\s+svg[^>[]*>)/i;function Zn(e,t=""){let n=Qn(e,t);return n===Ky&&Yy(e)?Gr:n}function Yy(e){
let t=new TextDecoder().decode(e.subarray(0,Xn));for(let n="";n!==t;)n=t,t=t.replace(zy,"");return/^<svg[\s/>]/.test(t)}var Qy=new Set(["connect","getaddrinfo"]),Xy=new Set(["UND_ERR_CONNECT_TIMEOUT","ERR_PROXY_TUNNEL","CERT_HAS_EXPIRED","CERT_NOT_YET_VALID","DEPTH_ZERO_SELF_SIGNED_CERT","SELF_SIGNED_CERT_IN_CHAIN","UN\
ABLE_TO_GET_ISSUER_CERT","UNABLE_TO_GET_ISSUER_CERT_LOCALLY","UNABLE_TO_VERIFY_LEAF_SIGNATURE"]),Zy=[/^Client network socket disconnected before secure TLS connection was established$/,/^Proxy response \(\d+\) !== 200 when HTTP Tunneling$/,
/^E[A-Z]+: (Unable to connect\. Is the computer able to access the url\?|Was there a typo in the url or port\?)$/],Qa=/^error sending request for url \(\S*\): client error \(Connect\)/;function eo(e,t=0){
if(!(e instanceof Error)||t>5)return!1;if(Qa.test(Vr(e))||!("Deno"in globalThis)&&eh(e))return!0;let{errors:n}=e;return!Array.isArray(n)||n.length===0?eo(e.cause,t+1):n.every(o=>eo(o,t+1))}function eh(e){
let{code:t,syscall:n}=e;return n!==void 0?typeof t=="string"&&Qy.has(n):Xy.has(t)||Zy.some(o=>o.test(Vr(e)))}var th=["EMFILE","ENFILE","ENOMEM","ENOBUFS"],nh=[["Too many open files in system (","ENFIL\
E"],["Too many open files (","EMFILE"],["Cannot allocate memory (","ENOMEM"],["No buffer space available (","ENOBUFS"]];function Hr(e,t=0){if(!(e instanceof Error)||t>5)return;let{code:n,errors:o}=e,r=th.
find(s=>s===n)??oh(e);if(r)return r;for(let s of[e.cause,...Array.isArray(o)?o:[]]){let i=Hr(s,t+1);if(i)return i}}function oh(e){let t=Vr(e);if(Qa.test(t))return nh.find(([n])=>t.includes(n))?.[1]}function Vr(e){
try{return String(e.message)}catch{return""}}function Wt(e){return typeof e=="number"&&Number.isFinite(e)&&e>=0}var cO=R(V("US dollars of at least 0, a table { by, usd } of such amounts, or a function",e=>typeof e=="function"||Wt(e)||rh(e)));function rh(e){
if(typeof e!="object"||e===null)return!1;let{by:t,usd:n}=e,o=Object.values(n??{});return typeof t=="string"&&o.length>0&&o.every(Wt)}var sh=oo(32,Za,["0.0.0.0/8","10.0.0.0/8","100.64.0.0/10","127.0.0.0/8","168.63.129.16/32","169.254.0.0/16","172.16.0.0/12","192.0.0.0/24","192.0.2.0/24","192.31.196.0/24","192.52.193.0/24","192.88.99\
.0/24","192.168.0.0/16","192.175.48.0/24","198.18.0.0/15","198.51.100.0/24","203.0.113.0/24","224.0.0.0/3"]),ih=oo(128,ro,["2000::/3"]),ah=oo(128,ro,["2001::/23","2001:db8::/32","2002::/16","2620:4f:8\
000::/48","3fff::/20"]),ch=oo(128,ro,["::ffff:0:0/96","64:ff9b::/96"]);function no(e){return e.startsWith("[")?dh(ro(e.slice(1,-1))):/^\d+(?:\.\d+){3}$/.test(e)?Xa(Za(e)):/(?:^|\.)localhost\.?$/.test(
e)}function Xa(e){return to(sh,e)}function dh(e){return to(ch,e)?Xa(e%2n**32n):!to(ih,e)||to(ah,e)}function to(e,t){return e.some(({network:n,hostBits:o})=>t>>o===n>>o)}function oo(e,t,n){return n.map(
o=>{let[r="",s]=o.split("/");return{network:t(r),hostBits:BigInt(e-Number(s))}})}function Za(e){return e.split(".").reduce((t,n)=>t*256n+BigInt(n),0n)}function ro(e){let[t=[],n=[]]=e.split("::").map(r=>r===
""?[]:r.split(":")),o=Array.from({length:8-t.length-n.length},()=>"0");return[...t,...o,...n].reduce((r,s)=>r*65536n+BigInt(`0x${s}`),0n)}var Kr=8192;function zr(e){let t=URL.parse(e);return t?t.protocol!=="https:"?`an output is at a ${t.protocol} URL and not at an https: one`:t.username||t.password?"an output URL contains credentials":
no(t.hostname)?"an output is at an address of a private network":void 0:"an output is neither bytes nor a URL"}function mn(e){if(zr(e)!==void 0)return;let{href:t}=new URL(e);return t.length<=Kr?t:void 0}function yn({preview:e,...t}){let n=e&&{contentType:e.contentType,base64:ve(e.bytes)};return JSON.stringify({...t,preview:n})}var uh=64*1024,lh=new Set(["image/png","image/jpeg","image/webp","image/gi\
f","image/avif"]);function At(e){let{progress:t,queuePosition:n,preview:o}=e,r=ph(o),s={...typeof t=="number"&&!Number.isNaN(t)&&{progress:Math.min(1,Math.max(0,t))},...Wt(n)&&{queuePosition:Math.floor(
n)},...r&&{preview:r}};return Object.keys(s).length>0?s:void 0}function ph(e){let{base64:t,bytes:n=Ye(t),contentType:o}=e??{};return!(n instanceof Uint8Array)||!lh.has(o)?void 0:n.byteLength>0&&n.byteLength<=
uh?{bytes:n,contentType:o}:void 0}function io(e){try{return typeof e=="object"&&e!==null?fh(e):"the report is not an object"}catch{return"the report cannot be read"}}function fh(e){let{state:t}=e;switch(t){case"running":{let n=Se(e.handle);
return n===void 0?"a running report has no handle":{state:t,handle:n,pollAfterMs:Yr(e.pollAfterMs),...At(e)}}case"succeeded":{let{outputs:n}=e;return Array.isArray(n)?{state:t,outputs:Array.from(n,mh),
costUsd:so(e.costUsd),inferenceMs:Yr(e.inferenceMs)}:"a succeeded report has no outputs"}case"failed":{let{code:n,message:o}=e;return typeof o!="string"?"a failed report has no message":{state:t,code:yh(
n)?n:"provider_failed",message:U(o),costUsd:so(e.costUsd),...e.isAccountAtFault===!0&&{isAccountAtFault:!0},...e.cause!==void 0&&{cause:e.cause},status:ec(e.status)}}case"refused":return{state:t,message:U(
e.message),retryAfterMs:Yr(e.retryAfterMs),status:ec(e.status)};case"unknown":return{state:t,message:U(e.message),costUsd:so(e.costUsd)};default:return`the report has the unknown state ${U(t)}`}}function tc(e,t){
if("bytes"in e)return e.bytes.byteLength>0?void 0:"an output is empty";let n=zr(e.url);return n!==void 0||t||mn(e.url)!==void 0?n:`an output has a URL of more than ${Kr} bytes`}function mh(e){let{bytes:t,
url:n,contentType:o}=e??{},r=typeof o=="string"?{contentType:o.toWellFormed()}:{};return t instanceof Uint8Array?{bytes:t,...r}:{url:String(n??"").toWellFormed(),...r}}function yh(e){return Pa.includes(
e)}function ec(e){return Number.isInteger(e)?e:void 0}function so(e){return Wt(e)?e:void 0}function Yr(e){let t=so(e);return t===void 0?void 0:Math.round(t)}async function Tt({context:e,provider:t,job:n,route:{gate:o}},r,s,i="ask",a=c=>c){if(r.hasEnded)return{fault:"unknown"};let c=o.breaker.begin(i,n);if(!c)return{fault:"unreached"};let{callTimeoutMs:d}=o,
u=()=>{},l=()=>{};try{let p=await new Promise((m,y)=>{let h=new AbortController,b=g=>{let w=new Error(g);y(w),h.abort(w)};u=qn(e.clock,d,()=>b(`No answer within ${d} ms.`)),l=r.onEnd(()=>b("The servic\
e ended the call.")),Promise.resolve(s({signal:h.signal})).then(m,y)}),f=a(p);return c("answered"),{value:f}}catch(p){let f=eo(p)?"unreached":"unknown",m=o.shortage.notice(p);return c(r.hasEnded||m?"c\
ut":"fault"),r.hasEnded||m&&f==="unreached"||e.trouble.unanswered(n,t.name,p),{fault:f}}finally{u(),l()}}function ao(e,t,n,o){return Tt(e,t,n,o,gh).then(hh)}function hh(e){return"value"in e?e.value:e.
fault==="unknown"?void 0:{state:"refused",message:"The provider could not be reached.",isUnreached:!0}}function gh(e){let t=io(e);if(typeof t!="string")return t;throw new Error(`${t}.`)}function Xr({context:e,job:t}){return e.uploads?.given(t)??{input:t.task??{},letGo(){}}}function co(e,t){let n=e.route.inputOf(t);return n instanceof Promise?n.then(o=>Qr(e,o)):Qr(e,n)}async function Zr(e){
let{task:t={}}=e.job;try{return await co(e,e.context.uploads?.shown(t)??t)}catch{return Qr(e,t)}}function Qr({job:e,route:t,context:n},o){let{id:r,clientToken:s,owner:i}=e;return{jobId:r,model:t.model,
input:o,clientToken:s,owner:n.ownerMarkOf(i)}}async function qt(e){return{...await Zr(e),handle:e.job.handle??null}}function Gt(e,t){let n=.75+Math.random()/2;return Math.round(Math.min(t,1e3*2**e)*n)}var bh=6e4,wh=3e4,kh={min:20,max:6e5};function Qe(e,t){switch(t.state){case"running":{let{state:n,handle:o,pollAfterMs:r,...s}=t;return{event:{type:"running",handle:o,pollAfterMs:r,...ts(e,r)},news:s}}case"\
failed":{let{code:n,message:o,costUsd:r}=t;return{...Ee(n,o,r),answer:t}}case"succeeded":{let{outputs:n,costUsd:o,inferenceMs:r}=t,s=e.context.copyOutputs!==void 0,i=n.map(d=>tc(d,s)),a=n.length===0?"\
there is no output":i.find(Boolean);return a!==void 0?Ee("output_invalid",`The provider has finished, but ${a}.`,o):{event:{type:"succeeded",outputs:n.map((d,u)=>"url"in d?{url:d.url}:{fileKey:at(e.job,
u)}),costUsd:o,inferenceMs:r},outputs:n}}}}function Ee(e,t,n){return{event:{type:"failed",code:e,message:t,costUsd:n}}}function Me(e,t,n){return{event:{type:"postponed",retryAt:Je(e,n),why:t}}}function Xe(e,t){
return t.hasEnded?{event:{type:"interrupted"}}:Me(e,"no_answer")}function Pt(e,t){let{context:n,job:o,provider:r}=e;return t.isUnreached||n.trouble.refused(o,r.name,t),Me(e,es(t),t.retryAfterMs)}function es({
isUnreached:e}){return e?"unreached":"busy"}function Je({job:e,context:t},n=0){let o=Math.min(Z,Math.max(Gt(e.attempts,bh),n));return uo(e,t.clock.now()+o)}function ts(e,t){let{context:n,job:o}=e,r=n.
clock.now();if(t!==void 0){let{min:i,max:a}=kh,c=uo(o,r+Math.min(a,Math.max(i,t)));return{earliestAt:c,dueAt:c}}let s=xh(e,r);return{earliestAt:uo(o,r+1e3),dueAt:uo(o,r+s)}}function xh({context:e,job:t,
provider:n},o){let{callbacks:r,schedule:s}=e,i=s.delayMs(t.model,Math.max(0,o-(t.startedAt??o)));return r.comeFrom(n.name)?Math.max(i,wh):i}function uo(e,t){return Math.round(Math.min(t,e.deadlineAt))}var ns=3,nc={least:15e3,most:5*6e4},vh=1/4;async function lo(e){let t=await os(e);return t===void 0?Xe(e,e.context.closing):t.state==="refused"?Pt(e,t):t.state==="unknown"?rs(e,t):Qe(e,t)}function os(e){
return ao(e,e.context.closing,async t=>e.provider.poll(await qt(e),t))}function rs(e,{message:t,costUsd:n}){let{job:o,context:r}=e,s=r.clock.now(),{since:i=s,count:a=0}=o.unknown??{},c=i-(o.startedAt??
i),d=Math.min(nc.most,Math.max(nc.least,c*vh));return a+1>=ns&&s-i>=d?Ee("provider_lost",t,n):{event:{type:"unknown",retryAt:Je(e),why:"unknown_task"}}}var Sh=12e4,Eh=1e4,Rh=6e4;async function oc(e){let t=Xr(e),n=t instanceof Promise?await t:t;if("gone"in n)return Ee("input_fetch_failed",n.gone);if("later"in n)return{event:{type:"refused",retryAt:Je(
e),...n.later}};try{return await Oh(e,n.input)}finally{n.letGo()}}async function Oh(e,t){let n;try{let a=co(e,t);n=a instanceof Promise?await a:a}catch(a){return ss(e,{message:U(a)},e.routes.refused(e.
route))}let o=await sc(e,n,"submit"),{clock:r,closing:s,givingUp:i}=e.context;if(o===po)return{event:{type:"refused",retryAt:s.hasEnded?r.now():Je(e)}};if(o===void 0||o.state==="unknown")return Xe(e,i);
if(o.state==="refused"){let a=e.routes.refused(e.route,o.retryAfterMs);return ss(e,o,a,es(o))}if(o.state==="failed"&&o.isAccountAtFault){let a=e.routes.rejected(e.route);if(a)return ss(e,o,a,"account")}
return Qe(e,o)}async function rc(e){let{provider:t,job:n,context:o}=e,r=await Xr(e),s;try{let i=await Ah(e,r);s=i&&(await e.resubmits()?await sc(e,i,"ask"):po)}finally{"letGo"in r&&r.letGo()}return s===
po?Xe(e,o.closing):s===void 0||s.state==="unknown"?Xe(e,o.givingUp):s.state==="refused"?Pt(e,s):s.state!=="failed"||!s.isAccountAtFault?Qe(e,s):(o.trouble.refused(n,t.name,s),Me(e,"account"))}async function Ah(e,t){
try{return"input"in t?await co(e,t.input):void 0}catch{return}}async function sc(e,t,n){let{provider:o,job:r,context:s}=e,{callbackBaseUrl:i}=s,a=i===void 0?void 0:await gr(i,o,r),c=e.confirm();return!(c instanceof
Promise?await c:c)||s.closing.hasEnded?po:await ao(e,s.givingUp,u=>o.submit(t,a===void 0?u:{...u,callbackUrl:a}),n)}var po="not made";function ss(e,t,{next:n,pauseMs:o},r){let{provider:s,job:i,context:a}=e;
return(n||!t.isUnreached)&&a.trouble.refused(i,s.name,t,n?.name),n?{event:{type:"refused",retryAt:a.clock.now(),nextRoute:n.name,why:r}}:{event:{type:"refused",retryAt:Je(e,o),why:r}}}async function ic(e){
let{provider:t,job:n,context:o}=e,r=await as(e);if(r)return r;if(o.onAmbiguousSubmit==="resubmit"&&!is(e))return rc(e);let s=t.readCallback!==void 0&&o.callbackBaseUrl!==void 0,i=(n.startedAt??0)+Sh-o.
clock.now();if(s&&i>0)return Me(e,void 0,i);let a=is(e)?"The job was canceled during its submit, and it is not known whether the provider has taken it on.":"It is not known whether the provider has ta\
ken the job on, and to ask again could cost twice.";return Ee("submit_ambiguous",a)}async function as(e){let{dedupesSubmits:t,find:n}=e.provider;return t&&!is(e)?rc(e):n&&Ph(e)}function is({job:e}){return e.
cancelAskedAt!==void 0}async function Th({job:e,context:{processes:t}}){return await Bt(e.submitToken,t).catch(()=>"alive")==="alive"}async function Ph(e){let{provider:t,job:n,context:o}=e,r=await Th(
e),s=await gr(o.callbackBaseUrl,t,n),i=await Tt(e,o.closing,async u=>t.find?.(await Zr(e),{...u,callbackUrl:s,submittedAt:n.startedAt}));if("fault"in i)return i.fault==="unreached"?Me(e,"unreached"):Xe(
e,o.closing);if(i.value===void 0){let u=o.clock.now();return r?{event:{type:"postponed",retryAt:Math.min(Je(e),u+Eh)}}:{event:{type:"refused",retryAt:u}}}let a=io(i.value);if(typeof a=="string")return Me(
e,"no_answer");if(a.state==="refused")return Pt(e,a);if(a.state!=="unknown")return Qe(e,a);let c=o.clock.now()-(n.startedAt??0)>=Rh,{count:d=0}=n.unknown??{};return c&&d+1>=ns?void 0:{event:{type:"unk\
nown",retryAt:Je(e),why:"unknown_task"}}}var Ch=1e4,_h=5*6e4;async function Ht(e,t){let n=await e.context.moderateOutputs?.(e.job,t);if(n)return{event:n};try{let o=[];for(let[r,s]of t.entries())o.push(await Nh(e,s,r));return cc(e,o)}catch(o){
let{job:r,provider:s,context:i}=e;return i.log.error(`The outputs of job ${r.id} could not be stored.`,{...D(r,s.name),cause:o}),i.givingUp.hasEnded?{event:{type:"interrupted"}}:Me(e,"files")}}async function ac(e){
let{job:t,context:n}=e,o=!1,r=await Promise.all(t.outputs.map(c=>Lh(n,c).catch(()=>{o=!0})));if(r.every(c=>c!==void 0)){let c=r.flatMap(({url:u})=>u===void 0?[]:[{url:u}]),d=c.length>0&&await n.moderateOutputs?.(
t,c);return d?{event:d}:cc(e,r)}let s=await(t.handle===void 0?as(e):lo(e));if(!s&&(o||await Jh(e)))return Me(e);if(!s)return Ee("output_invalid","The outputs were lost before they could be stored.");let{
event:i,outputs:a}=s;return a?{outputs:a}:i&&Mh.has(i.type)?{event:i}:i?.type==="refused"?Me(e):Ee("output_invalid","The provider had lost the outputs before they could be stored.")}var Mh=new Set(["p\
ostponed","unknown","interrupted"]);async function Jh({job:e,context:{clock:t,processes:n}}){return t.now()>=(e.checkedAt??0)+_h?!1:await Bt(e.submitToken,n).catch(()=>{})!=="ended"}function cc({context:e},t){
let n=e.copyOutputs&&t.some(({fileKey:o})=>o===void 0);return{event:{type:"collected",outputs:t,copyAt:n?e.clock.now():void 0}}}async function Lh(e,t){let{fileKey:n}=t;if(n===void 0)return t;let{clock:o,
files:r,givingUp:s}=e,i=await M(o,Ch,"file store",()=>r.open?.(n),s);if(i)return{fileKey:n,contentType:i.contentType};let a=await za(e,n);return a===void 0?void 0:{fileKey:n,contentType:a}}async function Nh({
context:e,job:t},n,o){if("url"in n)return{url:n.url,...n.contentType&&{contentType:n.contentType}};let r=at(t,o),s=Zn(n.bytes,n.contentType),i=Math.max(fn,t.deadlineAt-e.clock.now());return await Ka(e,
r,n.bytes,s,i),{fileKey:r,contentType:s}}var Ih=200;async function dc(e,t,n,o){let{context:r,job:s}=e;if(!Uh(e,n))return await o(t)?fo(e,Ht(e,n),o):await $h(e)?(await Ht(e,n),void await Et({...s,outputs:t.outputs},r)):void 0;let i=Ht(e,n),a={};
await ct(r.clock,Ih,i.then(d=>a=d));let{event:c}=a;if(c?.type==="collected"){let{outputs:d,copyAt:u}=c,l=await o({...t,outputs:d,collected:{copyAt:u}});return l||await Et({...s,outputs:d},r),l}return await o(
t)?fo(e,i,o):(await i,void await Et({...s,outputs:t.outputs},r))}async function fo({context:e,job:t},n,o){let{event:r}=await n,s=r&&await o(r);return r?.type==="collected"&&!s&&await Et({...t,outputs:r.
outputs},e),s}async function $h({context:e,job:t}){let{jobs:n,clock:o,givingUp:r}=e,i=await ge(()=>n.get(t.id),{clock:o,givingUp:r,forMs:fn}).catch(()=>{});return i?.phase==="collecting"&&i.submitToken===
t.claimToken}function Uh({context:e,job:t},n){return e.isInThisProcess||t.phase==="running"||n.every(o=>"url"in o)}function uc({news:e},t){let n=new Map;function o(r){for(let[s,i]of n){if(r-i<250)return;n.delete(s)}}return(r,s)=>{if(!e||Object.keys(s).length===0)return;let i=t.uptime();i-(n.get(r)??Number.NEGATIVE_INFINITY)<
250||(n.size>=1e3&&o(i),n.delete(r),n.set(r,i),e.publish(r,s))}}function lc(e,t,n){let{processes:o,isInThisProcess:r,clock:s}=e;if(t.phase!=="running"||!n||!(o||r))return;let i=t.attempts===0&&!t.abandonedClaims&&!t.unknown&&!t.isHinted&&!t.cancelAskedAt,a=t.claimedUntil===
void 0||t.isQuiet;if(!i||!a)return;let c=ts({context:e,job:t,provider:n.provider},t.pollAfterMs);return c.earliestAt-s.now()<1e3?void 0:c}function pc(e,t){return e.isQuiet===!0&&t?.type==="running"&&t.
pollAfterMs===e.pollAfterMs&&JSON.stringify(t.handle)===JSON.stringify(e.handle)}var jh=1e3;function fc(e,t){let n=dt(),o=new Map;function r(s){let i=e.uptime();return i<s.aliveUntil?!0:s.isWaiting?!1:(s.doubtedAt??=i,i<s.doubtedAt+jh)}return{add(s,i,a){let c=()=>{n.end(),o.get(s)?.
ended===d&&o.delete(s)},d=i.then(c,l=>{t.error(`A step of job ${s} could not be taken or recorded.`,{job:s,cause:l}),c()});n.begin();let u=e.uptime()+a;return o.set(s,{ended:d,aliveUntil:u,isWaiting:!1,
wasAsked:!1,doubtedAt:void 0}),d},join(s){let i=o.get(s);if(!(!i||!r(i)))return i.wasAsked=!0,i.ended},keepAlive(s,i,a=!1){let c=o.get(s),d=e.uptime()+i;c&&Object.assign(c,{aliveUntil:d,isWaiting:a,doubtedAt:void 0})},
has:s=>o.has(s),wasAsked:s=>o.get(s)?.wasAsked===!0,settled:n.settled}}var Vt=5,Fh=2e4;function yc(e){let t=e.uptime(),n=_e(e,1,Ot);return{lanes(o,r){let s=mc(o);return s<2?[]:r?s===2?[r.suspects.several]:[r.suspects.single,n]:[n]},restMs:o=>mc(o)<Vt-1?0:Math.max(0,t+Fh-
e.uptime())}}function mc({claimedUntil:e,isQuiet:t,abandonedClaims:n=0}){return e===void 0?0:t?n:n+1}var Bh={busy:e=>`${e} was busy`,unreached:e=>`${e} could not be reached`,no_answer:e=>`${e} gave no usable answer`,account:e=>`${e} did not accept this service's account or did not have the model`,unknown_task:e=>`${e}\
 did not know the task`,files:()=>"the file store could not be reached"};function Kt(e,t=e.setback){return e.phase==="running"&&e.cancelAskedAt!==void 0?mo(e):{type:"failed",code:e.phase==="submitting"?
"submit_ambiguous":"deadline_exceeded",message:`The job has not finished within its time${Dh(e,t)}.`}}function mo({provider:e="the provider"},t){return{type:"failed",code:"canceled",message:`The job w\
as canceled; ${e} has not confirmed that, and may charge for it.`,costUsd:t}}function Dh({phase:e,provider:t="the provider"},n){return n?`: ${Bh[n.why](t)}; last tried ${Wh(n.at)}`:e==="running"?`: ${t}\
 was still working on it`:e==="accepted"?": it was still waiting for its turn":""}function Wh(e){let t=Math.floor(e/6e4),[n,o]=[Math.floor(t/60)%24,t%60].map(r=>`${r}`.padStart(2,"0"));return`${n}:${o}\
 UTC`}var qh=6e4,Gh=new Set(["provider_failed","provider_lost"]);async function hc(e){let{context:t,job:n,provider:o}=e,{closing:r,clock:s}=t,i=o.cancel&&await Tt(e,r,async d=>o.cancel?.(await qt(e),d)),a=await os(
e);if(a?.state==="succeeded")return Qe(e,a);if(a?.state==="failed")return Gh.has(a.code)?{...Ee("canceled","The job was canceled.",a.costUsd),answer:a}:Qe(e,a);if(r.hasEnded)return{event:{type:"interr\
upted"}};let c=a?.state==="unknown"?a.costUsd:void 0;if(!i)return{event:mo(n,c)};if(a===void 0)return Xe(e,r);switch(a.state){case"refused":return Pt(e,a);case"unknown":return"value"in i?{event:mo(n,c)}:
rs(e,a);case"running":{let d=Math.max(0,s.now()-(n.cancelAskedAt??s.now())),u=Je(e,Math.min(qh,d/2)),{handle:l,pollAfterMs:p}=a;return{event:{type:"running",handle:l,pollAfterMs:p,dueAt:u,earliestAt:u}}}}}function gc(e,t){let n=e.context.clock.now()>=e.job.deadlineAt;return t.phase!=="accepted"?Hh(e,t,n):n?Promise.resolve({event:Kt(t)}):oc(e)}async function Hh(e,t,n){let{phase:o}=t,r=await Vh(e,o);return n&&
!Kh(r,o)&&r.event?.type!=="interrupted"?zh(e,t,r):r}function Vh(e,t){return t==="submitting"?ic(e):t!=="running"?ac(e):e.job.cancelAskedAt===void 0?lo(e):hc(e)}function Kh({event:e,outputs:t},n){return t!==
void 0||e?.type==="collected"||e?.type==="failed"?!0:n==="submitting"&&e?.type==="running"}async function zh(e,t,{event:n}){let{provider:o,context:r}=e;return t.phase==="running"&&o.cancel&&await Tt(e,
r.closing,async s=>o.cancel?.(await qt(e),s)),{event:Kt(t,Yh(n,r.clock.now())??t.setback)}}function Yh(e,t){let n=e&&"why"in e?e.why:void 0;return n&&{why:n,at:t}}function bc({phase:e}){let t=`The ser\
vice broke down ${Vt} times in a row over this job.`;return{type:"failed",code:e==="submitting"?"submit_ambiguous":"service_failed",message:t}}function wc(e){let{phase:t,route:n}=e;return t==="accepte\
d"||t==="submitting"?Kt(e):{type:"failed",code:"provider_lost",message:`The service no longer has the route${n===void 0?"":` ${n}`} to the provider that was making this job.`}}var kc=6e4,Qh=2*kc,Xh=1e3,Zh=8,eg=20*6e4;function xc({clock:e,routesOf:t,isFull:n}){let o=yc(e),r=_e(e,Zh,eg);function s(a){let c=t(a.model);return a.phase==="accepted"?c?.toSubmit(a):c?.of(a)}function i(a){
let c=t(a.model);return a.phase==="accepted"&&c?c.pauseMs()*(1+Math.random()):kc}return{routeOf:s,of(a,c){if(!a||!it(a))return{kind:"none"};let d=e.now();if(C(a)&&(z(a,d)||!xt(a)))return{kind:"none"};
if(!St(a,d)){let b=Math.max(a.claimedUntil??d,a.earliestAt??d);return{kind:"wait",until:Math.min(b,Math.max(d,a.webhook?.dueAt??b))}}let u=o.restMs(a);if(u>0)return{kind:"wait",until:d+u};if(C(a))return{
kind:"step",lanes:[...o.lanes(a),r]};let l=d>=a.deadlineAt;if(a.phase==="accepted"&&!l&&n())return{kind:"wait",until:Math.min(d+Xh,a.deadlineAt)};let f=s(a),m=a.deadlineAt+(a.phase==="accepted"?0:Qh);
if(!f&&d<m)return{kind:"wait",until:Math.min(d+i(a),m)};if(!f||a.phase==="accepted"&&l||f.gate===c)return{kind:"step",lanes:[],route:f};if(c)return{kind:"wait",until:d};let{gate:h}=f;return{kind:"step",
lanes:o.lanes(a,h),route:f,gate:h}}}}import{LRUCache as tg}from"lru-cache";var ng=1e4;function vc(e,t,n){let o=new tg({max:ng});async function r(s){if(s?.phase!=="submitting"||!o.has(s.submitToken??""))return s;let i=t.now(),a=s.claimedUntil===void 0,c=s.submitToken??"",d=a?
H(s,{type:"claim",until:i,token:c},i):s,u=typeof d=="string"?d:H(d,{type:"refused",retryAt:i},i);if(typeof u=="string")return s;let l={...u,revision:s.revision+1},p=await K(e,l,s.revision);return p!==
"written"?r(p):(n(l),l)}return{add:s=>{o.set(s,!0)},givenUp:r}}var og=20,Sc=10*6e4,rg=5e3;function Ec(e){let{jobs:t,scheduler:n,signals:o,clock:r,log:s,trouble:i,schedule:a,routesOf:c}=e,d=fc(r,s),u={},l=_e(r,og,Ot),p=vc(t,r,y),f=uc(o,r),m=xc({clock:r,routesOf:c,
isFull:e.heldBytes.isFull});function y(S){C(S)&&e.onJobEnd(S),o.publish(S.id,S)}async function h(S,O){let P=await p.givenUp(await t.get(S));P&&(e.running.saw(P),e.deliverer?.take(P));let T=m.of(P,O);if(!P||
T.kind==="none")return;if(T.kind==="wait")return n.wakeAt(S,T.until);let{lanes:J,route:_,gate:I}=T,F=()=>g(P,_),G=I?()=>b(I,P,F):F;return J.reduceRight((ee,te)=>()=>te.run(ee,!1,P.owner),G)()}function b(S,{
id:O,owner:P,phase:T,deadlineAt:J},_){let I=T!=="accepted";if(!S.steps.isFull())return S.steps.run(_,I,P);let F=J-r.now();d.keepAlive(O,F>0?Math.min(F,Sc):Sc,!0),F>0&&n.wakeAt(O,J);let G=()=>(d.keepAlive(
O,je),h(O,S));return S.steps.run(G,I,P)}async function g(S,O){if(e.closing.hasEnded)return;let P=Dr(e,S,{route:S.phase==="accepted"?O?.name:S.route,provider:O?.provider.name,nextPoll:lc(e,S,O),onBeat:()=>d.
keepAlive(S.id,je),onUnused:p.add});return w(P,S,O)}async function w(S,O,P){let T={id:O.id};me(u,T);let J,_;try{if(J=S instanceof Promise?await S:S,!J)return;if(_=await A(J,O,P),_?.dueAt!==void 0&&n.wakeAt(
O.id,x(_)),_?.phase==="completed"&&!C(O)){let{startedAt:I=r.now()}=_;a.observe(O.model,r.now()-I,(Ut(O)??I)-I)}}finally{de(u,T),J?.release(),J&&o.publish(O.id,_)}}function x({id:S,isQuiet:O,dueAt:P=r.
now()}){return O&&d.wasAsked(S)?r.now():P}async function A(S,O,P){let{abandonedClaims:T=0}=S.job;if(C(O))return E(S,T>=Vt);let J=(Ie,fr)=>k(S,Ie,P,fr);if(T>=Vt)return J(bc(O));let _=c(O.model);if(!_||
!P)return J(_?wc(O):Kt(O));let{provider:I}=P,{job:F,confirm:G,resubmits:ee}=S,te={context:e,job:F,routes:_,route:P,provider:I,confirm:G,resubmits:ee},{event:ne,outputs:ht,answer:Nn,news:nt}=await gc(te,
O);return nt&&f(O.id,nt),(ne?.type==="succeeded"||ne?.type==="failed")&&e.callbacks.ended(I.name,O.id),ht?ne?.type==="succeeded"?dc(te,ne,ht,J):fo(te,Ht(te,ht),J):ne&&!pc(S.job,ne)?await J(ne,Nn):S.job}
async function k(S,O,P,T){let J=P?.provider.name;try{let _=await S.write(O);return _&&C(_)&&e.onJobEnd(_,J,T),_}catch(_){i.unwritten(S.job,O,J,_);return}}async function E({job:S,lost:O,write:P},T){let _=await(T?
void 0:e.copyOutputs)?.(S,O)??{type:"copied",outputs:S.outputs},I=await P(_);return I||await Et(S,e),I}return{advance:S=>d.join(S)??d.add(S,h(S),je),begin(S){let O=e.closing.hasEnded?void 0:m.of(S);if(O?.
kind!=="step"||O.lanes.length>0)return;let{route:P,gate:T}=O;if(!P||!T||T.steps.isFull())return;let{name:J,provider:_}=P,I=Wr(e,S,{route:J,provider:_.name,isInsert:!0});if(!I)return;let F=Promise.withResolvers(),
G=async()=>{if(!await F.promise)return;let ee=qr(e,I,()=>d.keepAlive(S.id,je));if(!e.closing.hasEnded)return await w(ee,S,P);let te=await ee.write({type:"refused",retryAt:r.now()});ee.release(),te&&y(
te)};return d.add(S.id,T.steps.run(G,!1,S.owner),je),{job:I.job,goOn:()=>F.resolve(!0),abandon(ee){F.resolve(!1),ee&&(p.add(I.job.claimToken??""),S.idempotency&&n.wakeAt(S.id,r.now()+rg))}}},async laneOf(S){
let O=await t.get(S).catch(()=>{}),P=O&&!C(O)?m.routeOf(O):void 0,{run:T}=P?.gate.takingUp??l;return{run:(J,_)=>T(J,_,O?.owner)}},async settled(){await d.settled(),await e.deliverer?.settled()},underWay(){
let S=new Set;for(let O=u.first;O;O=O.after)S.add(O.id);return[...S]},isUnderWay:d.has}}function zt(e){return new v("store_unavailable","The job store does not answer. Try again later.",{cause:e})}var sg=900;function Rc(e,t,n){let o=!1;return()=>{if(!o)return M(t,sg,"backend",()=>e.ready?.(),n).then(()=>{o=!0},r=>{throw zt(r)})}}function yo(e,t,n,o){return r=>{let{id:s}=o(r);(async()=>n?.(r))().catch(a=>e.error(`${t} has failed for job ${s}.`,{job:s,cause:a}))}}var Oc={find:650,insert:900},lt=1e4;function Ac(e,t,n){let o=(r,s)=>M(t,r,"job store",s,n);return{insert:r=>o(Oc.insert,()=>e.insert(r)),findByIdempotencyKey:(r,s)=>o(Oc.find,()=>e.findByIdempotencyKey(
r,s)),get:(r,s)=>o(lt,()=>e.get(r,s)),replace:(r,s)=>o(lt,()=>e.replace(r,s)),due:(r,s,i)=>o(lt,()=>e.due(r,s,i)),expired:(r,s)=>o(lt,()=>e.expired(r,s)),delete:r=>o(lt,()=>e.delete(r)),...e.costs&&{costs:r=>o(
lt,()=>e.costs(r))},...e.list&&{list:r=>o(lt,()=>e.list(r))}}}function Tc(e,t,n){let o=r=>M(t,lt,"backend",r,n);return{id:e.id,hasEnded:r=>o(()=>e.hasEnded(r)),leftBehind:r=>o(()=>e.leftBehind(r)),seenSince:()=>e.
seenSince?.()??Number.NEGATIVE_INFINITY}}function ho(e){let t=0;return{isFull:()=>t>e/2,hold(n){if(!(t+n>e))return t+=n,()=>{t-=n}}}}import{LRUCache as ig}from"lru-cache";var ag=1e5;function Pc(){let e=new ig({max:ag}),t=new Set;return{heard(n,o){e.set(o,!0),t.add(n)},comeFrom:n=>t.has(n),ended(n,o){e.delete(o)||t.delete(n)}}}async function Cc({jobs:e,clock:t,signals:n,scheduler:o,onEnd:r},s){let i=s;for(;i;){if(C(i)&&i.cancelAskedAt===void 0)throw new v("job_finished","The job has finished, so it can not be canceled.");let a=H(
i,{type:"cancelAsked"},t.now());if(typeof a=="string")return i;let c=await K(e,a,i.revision);if(c==="written")return n.publish(i.id,a),C(a)&&r(a),a.dueAt!==void 0&&o.wakeAt(i.id,a.dueAt),a;i=c}}function _c(e){let t=new Set,n=new Set;function o(s,i,a,c){t.has(s)||(t.add(s),e.warn(i,{model:a,provider:c}))}function r(s,i){let a=`Nobody knows what jobs of model ${s} cost: they show cost_usd 0. S\
et a price for the model, or have its provider report costUsd.`;o(s,a,s,i)}return{started(s){for(let{id:i,isCostKnown:a,unpricedInputs:c}of s){if(a===!1?r(i):a&&n.add(i),c===void 0)continue;let d=`The\
 price of model ${i} has no amount for some inputs (${c}): jobs with them show cost_usd 0. Add the amounts, or let a function calculate the price.`;o(`${i}
unpriced`,d,i)}},ended({id:s,phase:i,isCostKnown:a,model:c,provider:d}){if(i!=="completed"||a)return;if(!n.has(c))return r(c,d);let u=`Job ${s} has completed, and the price of model ${c} gives no cost\
 for it: it shows cost_usd 0, as will every job like it.`;o(c,u,c,d)}}}function Mc(e,{log:t,...n}){e.onForgotten?.(o=>{cn(o,n).catch(r=>t.error(`The job store has dropped job ${o.id} to make room, but its files can't be deleted: ${U(r)}`,D(o)))})}var cg=2e3;async function Jc(e,t){let{jobs:n,clock:o}=e,r=t;for(;r&&!z(r,o.now());){if(!C(r))throw new v("job_processing","The job is still processing. Cancel it, and delete it when it has finished.");
let s=H(r,{type:"deleted"},o.now());if(typeof s=="string")throw new Error(`A ${r.phase} job refuses to be deleted: ${s}.`);let i=await K(n,s,r.revision);if(i==="written")return ct(o,cg,wa(e,s));r=i}}var dg=64,ug=8,lg=1e4,pg=9e4;function Lc(e){let t=$e(dg),n=new Map,o=$e(lg),r=dn();function s({owner:c,host:d}){return t.fits(1)&&t.mayHave(c,1)&&(n.get(d)??0)<ug}function i({owner:c,host:d},u){t.add(
c,u);let l=(n.get(d)??0)+u;l===0?n.delete(d):n.set(d,l)}async function a(c){i(c,1),await ct(e,pg,c.deliver()),i(c,-1);for(let d=r.next(s);d;d=r.next(s))o.add(d.owner,-1),a(d)}return{run(c,d,u){let l={
owner:c,host:d,deliver:u},p=JSON.stringify([c,d]);return s(l)?(r.passed(p),a(l),!0):!o.fits(1)||!o.mayHave(c,1)?!1:(o.add(c,1),r.add(p,l),!0)}}}var fg=4320*6e4,mg=.8*Z;function Nc(e,t,n,o,r){if(!o)return{type:"undelivered",token:t,retryAt:r};if("status"in o&&o.status>=200&&o.status<300)return{type:"delivered",token:t,attempt:{...n,status:o.status}};
let s={...n,..."status"in o&&{status:o.status},error:hg(o)};if("status"in o?o.status===410:o.isLasting===!0)return{type:"undelivered",token:t,attempt:s};let a=Gt(e.webhook?.failed??0,mg),c=r+Math.min(
Z,Math.max(a,yg(o))),d=Math.min(e.expiresAt,(e.completedAt??r)+fg);return{type:"undelivered",token:t,attempt:s,...c<d&&{retryAt:c}}}function yg(e){if(!("status"in e)||e.status!==429&&e.status!==503)return 0;
let{retryAfterMs:t=0}=e;return Number.isFinite(t)?Math.round(t):0}function hg(e){if("error"in e)return U(e.error);let{status:t}=e;return t===410?"The receiver wants no more deliveries (410).":t>=300&&
t<400?`The receiver answered with ${t}; redirects are not followed.`:`The receiver answered with ${t}, not 2xx.`}var Ic=15e3,gg=3e4,bg=6e4;function $c(e){let{webhooks:t,jobs:n,clock:o,log:r,closing:s,givingUp:i}=e,a=Lc(o),c=new Set,d=new Map;s.onEnd(()=>{for(let h of d.values())h();d.clear()});let u=dt();async function l(h,b){
for(let g=h;g&&!z(g,o.now());){let w=H(g,b,o.now());if(typeof w=="string")return;let x=await K(n,w,g.revision);if(x==="written")return w;g=x}}async function p(h){if(s.hasEnded)return;let b=Ce(),g=o.now()+
gg,w=await l(await n.get(h),{type:"delivering",token:b,until:g});if(!w)return;let x={event:Er(w),at:o.now()},A=await m(w,x),k=Nc(w,b,x,A,o.now()),S=await ge(()=>l(w,k),{clock:o,givingUp:i,forMs:bg});S?.
webhook?.dueAt!==void 0&&f(h,S.webhook.dueAt)}function f(h,b){if(s.hasEnded)return;d.get(h)?.();let g=()=>{d.delete(h),n.get(h).then(w=>w&&y(w),()=>{})};d.set(h,o.after(Math.max(0,b-o.now()),g))}async function m(h,{
event:b,at:g}){let w=new AbortController,{signal:x}=w,{url:A=""}=h.webhook??{},k={id:`${h.id}_${h.completedAt}`,event:b,job:h,url:A,at:g,signal:x},E=!0;try{return await M(o,Ic,"receiver",async()=>{try{
return await t.send(k)}finally{E=!1}},s)}catch(S){return s.hasEnded?void 0:E?{error:`The receiver has not answered within ${Ic/1e3} s.`}:(r.error(`The webhook of ${xe(h)} could not be sent.`,{...D(h),
cause:S}),{error:"The service could not send the webhook."})}finally{w.abort(new Error("The try is over."))}}function y(h){let{id:b,owner:g,webhook:w}=h,x=o.now();if(!w||!C(h)||!Cr(h,x)||z(h,x)||c.has(
b)||s.hasEnded)return;let A=async()=>{await p(b).catch(k=>r.error(`The webhook of ${xe(h)} could not be delivered or recorded.`,{...D(h),cause:k})),c.delete(b),u.end()};u.begin(),c.add(b),!a.run(g,new URL(
w.url).hostname,A)&&(c.delete(b),u.end())}return{take:y,settled:u.settled}}var wg=.2,kg=100,cs=20;async function Uc(e,t){let{clock:n,log:o,closing:r,closedStore:s,waitingRooms:i,providers:a,files:c,spool:d,backend:u}=e,l=jt(),p=n.uptime()+t,f=()=>Math.max(kg,p-n.uptime()),m=[];
async function y(g,w,x=f()){await M(n,x,g,w).catch(A=>{m.push(g),o.error(`The ${g} could not be closed.`,{cause:A})})}r.end();for(let g of i)g.close();let h=(1-wg)*t,[b]=await Promise.all([xg(e,h,f),y(
"scheduler",()=>e.scheduler.stop(),h)]);return await Promise.all([...a.map(g=>y(`provider ${g.name}`,()=>g.close?.())),y("file store",()=>c.close?.()),y("spool",()=>d?.close?.()),y("signals",()=>u.signals.
close?.())]),await y("backend",()=>u.close()),s.end(),l(),{leftJobs:b,unclosed:m}}async function xg({clock:e,log:t,givingUp:n,closedStore:o,stopSweep:r,acceptor:s,advancer:i,uploads:a},c,d){let u=async(f,m)=>M(
e,f,"work under way",m).then(()=>!0,()=>!1);if(await u(c,async()=>{await r(),await s.settled(),await i.settled(),await a?.settled()}))return[];let p=i.underWay();return t.error(`The service closes wit\
h steps under way on ${vg(p)}.`),n.end(),await u(d()/2,i.settled)||(o.end(),await u(0,i.settled)),p}function vg(e){let t=e.length>cs?` and ${e.length-cs} others`:"";return e.length===0?"no job":`${e.slice(
0,cs).join(", ")}${t}`}var Sg=1e4;async function jc(e){let{clock:t,closing:n,backend:o,files:r,spool:s,providers:i}=e,a=[["backend",o],["file store",r],["spool",s],...i.map(f=>[`provider ${f.name}`,f])],c=jt(),d=await Promise.
allSettled(a.map(([f,m])=>M(t,Sg,f,()=>m?.ready?.(),n)));c();let u=[],l=[];for(let[f,m]of d.entries())m.status!=="fulfilled"&&(u.push(m.reason),l.push(`The ${a[f]?.[0]} is not ready: ${U(m.reason)}`));
if(u.length===0)return;let p=u.length===1?u[0]:new AggregateError(u);throw new Error(l.join(`
`),{cause:p})}var Eg=["image/*","video/*","application/octet-stream","binary/octet-stream"],Fc=15*6e4,Rg=Fc+6e4,Og=15*6e4,Ag=24,Tg=5;function Bc({files:e,fetch:t,maxOutputBytes:n,clock:o,log:r,ownerMarkOf:s,closing:i,
givingUp:a}){async function c({url:d="",contentType:u},l,p,f){let m=new AbortController,y=()=>m.abort(new Error("The copy was called off.")),h=[i.onEnd(y),f.onEnd(y)];try{let{signal:b}=m,{body:g}=await t(
d,{accept:Eg,maxBytes:n,timeoutMs:Fc,signal:b,owner:p}),[w,x]=g.tee(),A=Zn(await Pg(w),u);return await M(o,Rg,"file store",()=>e.put(l,x,A),a),{fileKey:l,contentType:A}}finally{for(let b of h)b();y()}}
return async(d,u)=>{let l=[],p=[];for(let[m,y]of d.outputs.entries()){let h=y.url===void 0||y.fileKey!==void 0?y:await c(y,at(d,m),s(d.owner),u).catch(b=>(p.push(b),y));l.push(h)}if(p.length===0)return{
type:"copied",outputs:l};if(i.hasEnded)return{type:"interrupted",outputs:l};let f=d.attempts+1;return f>=(p.every(Cg)?Tg:Ag)?(r.error(`The outputs of job ${d.id} could not be copied and stay at the pr\
ovider: ${U(p[0])}`,D(d)),{type:"copied",outputs:l}):(f===1&&r.warn(`The outputs of job ${d.id} could not be copied and are tried again: ${U(p[0])}`,D(d)),{type:"copied",outputs:l,retryAt:o.now()+Gt(d.
attempts,Og)})}}async function Pg(e){let t=e.getReader(),n=[];for(;n.length<Xn;){let{value:o}=await t.read();if(!o)break;n.push(...o.subarray(0,Xn))}if(n.length===0)throw new Error("The output is empt\
y.");return t.cancel().catch(()=>{}),Uint8Array.from(n)}function Cg(e){return e instanceof Error&&"retryable"in e&&e.retryable===!1}function Dc({keepOutputs:e,maxOutputBytes:t},n){let{fetch:o}=n.files;if(e==="mirror"&&!o)throw new TypeError("createGenerationService: keepOutputs is 'mirror', but files has no fetch: use a store that\
 has one, or add it, for example { ...files, fetch: guardedFetch }.");return o&&e!=="redirect"?Bc({...n,fetch:o,maxOutputBytes:t}):void 0}function ds(e,t){let n=new Map,o=new Map,r=d=>Math.max(0,(n.get(d)??0)-t.uptime()),s=d=>Math.max(d.gate.breaker.pauseMs(),r(d)),i=d=>s(d)===0,a=()=>Math.min(...e.map(s));function c(d,u=0){if(e.length===
1)return{pauseMs:u};let l=Math.max(r(d),Math.min(6e5,u));n.set(d,t.uptime()+l);let p=e.slice(e.indexOf(d)+1).find(i);return p?{next:p}:{pauseMs:a()}}return{of:d=>e.find(({name:u})=>u===d.route),toSubmit(d){
let u=Math.max(0,e.findIndex(({name:l})=>l===d.route));return e.slice(u).find(i)??e.slice(0,u).find(i)},refused:c,rejected(d){let u=t.uptime();return o.set(d,u+6e4),e.every(p=>(o.get(p)??0)>u)?void 0:
c(d,6e4)},pauseMs:a}}var Wc=5e3,_g=6e4,Mg={EMFILE:"This process has run out of file descriptors",ENFILE:"This machine has run out of file descriptors",ENOMEM:"This machine has run out of memory",ENOBUFS:"This machine has \
run out of memory for sockets"};function qc(e,t){let n=0,o=Number.NEGATIVE_INFINITY;return{pauseMs:()=>Math.max(0,n-e.uptime()),notice(r){let s=Hr(r);if(!s)return!1;let i=e.uptime();return n=i+Wc,i-o>=
_g&&(o=i,t.warn(`${Mg[s]} (${s}): no new jobs are submitted for ${Wc/1e3} s.`)),!0}}}function Gc(e,t,n){let o=new Map,r=qc(t,n),s=new Map;function i(d){let u=o.get(d);if(u)return u;let l=Wa(d,t,n,r);return o.set(d,l),l}function a(d,u,l){let p=s.get(d.id)?.by;if(p)throw new TypeError(`\
providers: ${p} and ${u} both serve a model ${d.id}.`);s.set(d.id,{model:d,by:u,routes:l})}function c(d,{id:u}){return e.some(l=>"routes"in l&&l.model.id===u&&l.routes.some(p=>p.provider===d))}for(let d of e){
if("routes"in d){let l=d.routes.map(p=>({...p,gate:i(p.provider)}));a(d.model,"a routed model",ds(l,t));continue}let u=i(d);for(let l of d.models){if(c(d,l))continue;let p={provider:d,model:l.id,gate:u,
inputOf:f=>f};a(l,d.name,ds([p],t))}}if(s.size===0)throw new TypeError("providers must serve at least one model.");return{models:[...s.values()].map(({model:d})=>d),providers:[...o.keys()],gates:o,modelOf:d=>s.
get(d)?.model,routesOf:d=>s.get(d)?.routes}}function go(e){if(e==="allowed")return;let{refused:t}=e??{};if(typeof t=="string"&&t!=="")return U(t);throw new TypeError("moderate must return 'allowed' or { refused: 'why' }.")}var Jg=5*6e4,Lg=6e4;function Hc(e,{clock:t,log:n,givingUp:o,modelOf:r}){if(!e)return;let s=async i=>go(await M(t,Jg,"app\u2019s moderate.outputs",async()=>e(i),o));return async(i,a)=>{let{id:c,owner:d,
task:u=i.input}=i;try{let l=r(i.model);if(!l)throw new Error(`There is no model ${i.model} any more.`);let p=()=>({owner:d,model:l,input:Se(u),jobId:c,outputs:a.map(m=>({...m}))}),f=await ge(()=>s(p()),
{clock:t,forMs:Lg,givingUp:o});return f===void 0?void 0:{type:"failed",code:"content_policy",message:f}}catch(l){return o.hasEnded?{type:"interrupted"}:(n.error(`The outputs of job ${c} could not be c\
hecked by the app\u2019s moderate.outputs.`,{...D(i),cause:l}),{type:"failed",code:"service_failed",message:"The outputs could not be checked against the rules on content, so nobody gets them."})}}}import{LRUCache as Ng}from"lru-cache";function Vc(e=1e4){let t=new Ng({max:e});return n=>{let o=t.get(n);if(o!==void 0)return o;let r=crypto.randomUUID();return t.set(n,r),r}}import{LRUCache as Ig}from"lru-cache";var $g=1e4,Ug=1e4,jg=1e4,Kc={requestsPerMinute:R(N()),spendUsdPerDay:R(V("a number of at least 0",e=>Number.isFinite(e)&&e>=0))},zc=(e,t)=>typeof t=="function"?t:$(e,t,Kc);function Yc(e,t){if(typeof e!=
"function")return()=>e;let n=new Ig({max:jg}),o=new Map;async function r(s,i){let a=await M(t,Ug,"app\u2019s limits",()=>i(s)),c=$("createGenerationService: limits(owner)",a??null,Kc);return n.set(s,{
limits:c,at:t.uptime()}),c}return s=>{let i=n.get(s);if(i&&t.uptime()-i.at<$g)return i.limits;let a=o.get(s)??r(s,e).finally(()=>o.delete(s));return o.set(s,a),a}}import{LRUCache as Fg}from"lru-cache";var Bg=1e3,Qc=6e4,Dg=1e4,bo=1e-6,Xc=V("an object with consume(), such as a RateLimiterRedis of rate-limiter-flexible",e=>typeof e?.consume=="function");function Zc(e){let t=new Fg({max:Dg});return(n,o)=>{
let r=e.uptime(),s=t.get(n)??{left:o,at:r},i=Math.min(o,s.left+(r-s.at)*o/Qc)+bo,a=i<1;s.left=Math.max(0,i-bo-(a?0:1)),s.at=r,t.set(n,s);let c=Math.floor(s.left+bo),d=(c+1-s.left)*Qc/o;return{limit:o,
remaining:c,moreInSeconds:Math.ceil(d/1e3-bo),isExceeded:a}}}function ed(e,t){return async(n,o)=>{let r=!1,s=await M(t,Bg,"app\u2019s requestCounter",()=>e.consume(n)).catch(l=>(r=!0,l)),{consumedPoints:i,
msBeforeNext:a}=s??{};if(!Number.isFinite(i)||!Number.isFinite(a))throw new v("store_unavailable","The requests can not be counted now. Try again later.",{cause:s instanceof Error?s:new TypeError("req\
uestCounter has not counted the request.")});let c=r||i>o,d=c?0:Math.floor(o-i),u=Math.max(1,Math.ceil(a/1e3));return{limit:o,remaining:d,moreInSeconds:u,isExceeded:c}}}import{LRUCache as Wg}from"lru-cache";var td=1440*6e4,qg=10*6e4,Gg=6e4,Hg=2e3,nd=1e3,Vg=1e3;function od(e,t){let n=new Wg({max:Vg});async function o(r,s){let i=t.now(),a=t.uptime(),c=ls(i-td);s.settledUntil>i&&(s.settledUntil=0);let d=Math.
max(c,s.settledUntil);s.endedMeanwhile=[];let u=[];for(let p;!p||p.length===nd;){let f=p?.at(-1);p=await e({owner:r,from:d,to:i+td,after:f,limit:nd}),u.push(...p)}let l=new Set(u.map(({job:p})=>p));for(let p of s.
usdOf.keys())(p<c||p>=d)&&s.usdOf.delete(p);for(let p of u)us(s,p);for(let p of s.endedMeanwhile)l.has(p.job)||us(s,p);s.settledUntil=ls(i-Gg),s.readAt=a}return{async of(r){let s=n.get(r);s||(s={usdOf:new Map,
settledUntil:0,readAt:Number.NEGATIVE_INFINITY,endedMeanwhile:[]},n.set(r,s));let i=s;t.uptime()-i.readAt>=Hg&&await(i.reading??=o(r,i).finally(()=>i.reading=void 0));let a=0;for(let c of i.usdOf.values())
a+=c;return a},saw(r){let s=n.peek(r.owner),i=s&&wt(r);i&&(us(s,i),s.reading&&s.endedMeanwhile.push(i))}}}function us({usdOf:e},{endedAt:t,costUsd:n=0}){let o=ls(t);n!==0&&e.set(o,(e.get(o)??0)+n)}function ls(e){
return e-e%qg}var Kg=3e4;function rd(e,t){let n=async o=>{try{return go(await M(t,Kg,"app\u2019s moderate.input",()=>e(o)))}catch(r){let s="The input could not be checked against the rules on content. Try again lat\
er.";throw new v("moderation_unavailable",s,{cause:r})}};return async o=>{let r=await n(o);if(r!==void 0)throw new v("content_policy",r)}}var zg=6e4;function id({admit:e,moderate:t,limits:n,requestCounter:o},r,s){let i=[],a=n&&Yc(n,s),c=l=>typeof n=="function"||n?.[l]!==void 0,d;if(a&&c("spendUsdPerDay")){if(!r.costs&&typeof n!="functio\
n")throw sd();d=od(r.costs??(()=>Promise.reject(sd())),s),i.push(Zg(a,d,s))}e&&i.push(async l=>M(s,zg,"app\u2019s admit",()=>e(l))),t?.input&&i.push(rd(t.input,s));async function u(l){for(let p of i)await p(
{...l,input:Se(l.input)})}return{admit:i.length>0?u:void 0,countRequest:a&&c("requestsPerMinute")?Yg(a,o?ed(o,s):Zc(s)):void 0,ended:l=>d?.saw(l)}}function Yg(e,t){return async n=>{let{requestsPerMinute:o}=await e(
n);return o===void 0?void 0:t(n,o)}}function sd(){return new TypeError("createGenerationService: limits.spendUsdPerDay needs a backend with a ledger: the job store must have costs().")}var Qg=400,Xg=1e-9;
function Zg(e,t,n){return async({owner:o})=>{let{spendUsdPerDay:r}=await e(o);if(r===void 0)return;let s=await M(n,Qg,"ledger",()=>t.of(o)).catch(eb);if(s<r-Xg)return;let i=`Your jobs have cost ${s.toFixed(
2)} US dollars in the last 24 hours; ${r.toFixed(2)} are allowed.`;throw new v("insufficient_quota",i)}}function eb(e){throw e instanceof v||e instanceof TypeError?e:zt(e)}function ad(e,t){let n=new Map;function o(a,c,d){let u=n.get(a);u?u.set(c,d):n.set(a,new Map([[c,d]]))}function r(a,c){let d=n.get(a);d?.delete(c)&&d.size===0&&n.delete(a)}function s(a){let c=e.now();
for(let[d,u]of n.get(a)??[])u<=c&&r(a,d)}let i=a=>(n.get(a)?.size??0)>=t;return{reserve(a){if(i(a)&&s(a),i(a)){let d=`Only ${t} of your jobs can be under way at a time. Try again when one has finished\
.`;throw new v("too_many_running_jobs",d)}let c={};return o(a,c,Number.POSITIVE_INFINITY),()=>r(a,c)},saw(a){C(a)?r(a.owner,a.id):o(a.owner,a.id,a.deadlineAt)}}}var tb={input:R(re()),outputs:R(re())},cd=(e,t)=>$(e,t,tb);var nb={maxBytes:R(N(),100*1024*1024),retentionHours:R(N(1,8760),24),maxAtOnce:R(N(),16)},dd=(e,t)=>$(e,t,nb);var ud=Ge("a list of providers such as [proceduralProvider()]",(e,t)=>ob(t)?(kr(`${e}.model`,t.model),t):Vi(e,t));function ob(e){return typeof e=="object"&&e!==null&&"routes"in e&&"model"in e}var rb={providers:ud,backend:R(Gi),files:R(wr),spool:R(wr),maxHeldBytes:R(N(0),256*1024*1024),keepOutputs:R(le("mirror","redirect")),maxOutputBytes:R(N(),2**31),retentionDays:R(N(1,3650),7),uploads:R(
dd),deadlineMs:R(N(),30*6e4),waitBudgetMs:R(Nt(0),55e3),maxWaiters:R(N(0),1e4),maxWaitersPerOwner:R(N(0)),callbackBaseUrl:R(gt),onAmbiguousSubmit:R(le("fail","resubmit"),"fail"),admit:R(re()),limits:R(
zc),requestCounter:R(Xc),moderate:R(cd),maxRunningJobsPerOwner:R(N(),1e3),onJobEnd:R(re()),onTransition:R(re()),webhooks:R(Hi),clock:R(He),log:R(bt)};function ld(e){return $("createGenerationService",
e,rb)}var sb={timeoutMs:R(Nt(0),9e4)};function pd(e){return $("close",e,sb)}var ps={most:5,jobs:200,length:2**21},ib={owner:B("the name of an owner"),limit:R(N(1,100),20),after:R(B("`next` of the page before")),status:R(le("processing","completed","failed")),model:R(B("the id\
 of a model")),outputKind:R(le("image","video")),createdFrom:R(N(0)),createdBefore:R(N(0)),metadata:R(V("an object with texts",ab))};async function fd(e,t,n){let{owner:o,limit:r,after:s,createdFrom:i,
createdBefore:a,...c}=$("list",n,ib);if(!e.list)throw new v("not_supported","This service does not list jobs: its job store has no list().");let{status:d,model:u,outputKind:l,metadata:p={}}=c,f=Object.
values(c).some(A=>A!==void 0),m=Object.entries(p),y=i===void 0?void 0:Vn(i),h=a===void 0?void 0:Vn(a),b=f?ps.jobs:r+1,g=A=>A.owner===o&&!z(A,t.now())&&(d===void 0||d===(C(A)?A.phase:"processing"))&&(u===
void 0||u===A.model)&&(l===void 0||l===A.outputKind)&&m.every(([k,E])=>A.metadata&&Object.hasOwn(A.metadata,k)&&A.metadata[k]===E),w=[],x=s===void 0||h!==void 0&&h<s?h:s;for(let A=0;A<ps.most;A++){let k=await e.
list({owner:o,from:y,before:x,limit:b,maxLength:ps.length});if(k.length===0)return{jobs:w};for(let E of k){if(w.length===r)return{jobs:w,next:x};x=E.id,g(E)&&w.push(E)}}return{jobs:w,next:x}}function ab(e){
return typeof e=="object"&&e!==null&&Object.values(e).every(t=>typeof t=="string")}var fs={owner:R(B("the name of an owner")),from:N(0),to:N(0)},cb={...fs,after:R(V("`next` of the page before",ub)),limit:R(N(1,1e3),100)};async function wo(e,t){let{limit:n,...o}=ms("costs",$("costs",
t,cb));if(!e.costs)throw new Error("The backend of this service keeps no ledger: its job store has no costs().");let r=await e.costs({...o,limit:n+1}),s=r.slice(0,n),i=s.at(-1);return{entries:s,...r.length>
n&&i&&{next:db(i)}}}function ms(e,t){if(t.from>t.to)throw new TypeError(`${e}: from must not be later than to.`);return t}function db({job:e,endedAt:t}){return{job:e,endedAt:t}}function ub(e){let{job:t,
endedAt:n}=e??{};return typeof t=="string"&&Number.isFinite(n)}async function gd(e,t){let n=ms("usage",$("usage",t,fs)),o=md(),r=new Map,s;do{let{entries:a,next:c}=await wo(e,{...n,after:s,limit:1e3});for(let d of a){let u=r.get(d.model)??md();r.set(d.model,u),yd(
u,d),yd(o,d)}s=c}while(s);let i=[...r].map(([a,c])=>[a,hd(c)]);return{...hd(o),models:Object.fromEntries(i)}}function md(){return{jobs:0,failed:0,outputs:0,costUsd:0,unknownCosts:0}}function yd(e,{outcome:t,
outputs:n=0,costUsd:o}){e.jobs++,e.outputs+=n,t==="failed"&&e.failed++,o===void 0?e.unknownCosts++:e.costUsd+=o}function hd(e){return{...e,costUsd:Math.round(e.costUsd*1e6)/1e6}}function ys(e,t,n){if(t&&t.owner===e&&!z(t,n))return t;throw hs()}function hs(){return new v("job_not_found","There is no such job, or it has expired.")}function bd(e,t){if(!e||z(e,t))throw hs();if(!C(e))throw new v("job_processing","The job is still processing. Retry it once it has failed.");let n=lb(e);if(n!==void 0)throw new v("invalid_request",`Th\
e job can't be retried: ${n}.`);return e}function lb({phase:e,error:t,isCostKnown:n,costUsd:o,input:r}){return e==="completed"?"it has completed":t?.code==="canceled"?"its owner has canceled it":o>0?`\
it has cost ${o} USD`:n?Ia(r)?void 0:"its input had a data URI or a very long text, which was not kept":"nobody knows whether it has cost something"}var wd=2e3,kd=1e3,pb=100;function xd(e){let{jobs:t,clock:n,closing:o,closedStore:r,waiters:s,advancer:i,gates:a}=e,c,d=0;async function u(){let f=n.now(),m=await t.due(f,pb),[y]=m,h=y===void 0?void 0:
await t.get(y),b=Math.max(h?.dueAt??f,h?.claimedUntil??0);return{count:m.length,oldestLagMs:Math.max(0,f-b)}}async function l(){let f=n.uptime(),m=await M(n,wd,"job store",u,r).catch(()=>{}),y=n.uptime();
d=y+kd;let h={isReachable:m!==void 0,latencyMs:y-f};return m?{store:h,due:m}:{store:h}}function p(){let f=n.uptime();return c&&f<d?c:(d=f+wd+kd,c=l())}return async()=>{let f=await p(),m=Array.from(a,([
{name:b},{breaker:g,steps:w}])=>{let{running:x,waiting:A}=w.counts();return{name:b,breaker:g.isOpen()?"open":"closed",stepsUnderWay:x,stepsWaiting:A}}),h=m.some(({breaker:b})=>b==="open")?"degraded":"\
ok";return{status:o.hasEnded?"closing":f.store.isReachable?h:"unavailable",...f,waiters:s.count(),stepsUnderWay:i.underWay().length,providers:m}}}function vd(e){let t=n=>async(...o)=>{try{return await n(...o)}catch(r){throw zt(r)}};return{insert:t(n=>e.insert(n)),findByIdempotencyKey:t((n,o)=>e.findByIdempotencyKey(n,o)),get:t((n,o)=>e.get(n,o)),
replace:t((n,o)=>e.replace(n,o)),due:t((n,o,r)=>e.due(n,o,r)),expired:t((n,o)=>e.expired(n,o)),delete:t(n=>e.delete(n)),...e.costs&&{costs:t(n=>e.costs(n))},...e.list&&{list:t(n=>e.list(n))},...e.onForgotten&&
{onForgotten:n=>e.onForgotten?.(n)}}}import{LRUCache as fb}from"lru-cache";var mb=1e4;function Sd(e,t){let n=new fb({max:mb});function o(r,s){n.set(r.id,r.phase);let i=r.updatedAt??r.createdAt;t({id:`${r.id}/${r.revision}`,...s&&{from:s},
to:r.phase,at:i,job:r})}return{...e,async get(r,s){let i=await e.get(r,s);return i&&n.set(r,i.phase),i},async insert(r){let s=await e.insert(r);return s.outcome==="inserted"&&o(r),s},async replace(r,s){
let i=n.get(r.id),a=await e.replace(r,s);return a==="replaced"&&i!==void 0&&i!==r.phase&&o(r,i),a}}}function Ed(e,{clock:t,clockSteps:n,closedStore:o,log:r,onTransition:s}){let i=Hn(e)?e:vd(Ac(e,t,o)),a=s?Sd(i,yo(r,"onTransition",s,({job:c})=>c)):i;return{...a,get:async(c,d)=>{let u=await a.get(c,d);
return u&&n.retimed(u)}}}var Yt={"image/png":"png","image/jpeg":"jpg","image/webp":"webp","image/gif":"gif","image/avif":"avif","video/mp4":"mp4","video/webm":"webm","video/quicktime":"mov","image/heic":"heic","audio/mpeg":"m\
p3","audio/wav":"wav","audio/ogg":"ogg","audio/flac":"flac","audio/mp4":"m4a"},Rd={[Gr]:"svg"};function Od(e){return Object.hasOwn(Yt,e)?Yt[e]:void 0}function Ad(e){return Object.keys(Yt).find(t=>Yt[t]===
e)}function gs(e,t){let n=t.toLowerCase();if(Object.hasOwn(Yt,n)){let r=`inline; filename="${e}.${Yt[n]}"`;return{isShown:!0,contentType:n,contentDisposition:r}}let o=Object.hasOwn(Rd,n)?`.${Rd[n]}`:"";
return{isShown:!1,contentType:/^[\w.+-]+\/[\w.+-]+$/.test(n)?n:"application/octet-stream",contentDisposition:`attachment; filename="${e}${o}"`}}var bs="uploads/",ws="upload://",yb=/^up_([0-9a-f]{12})[0-9a-f]{32}\.([a-z0-9]{2,4})$/,hb=/^uploads\/([0-9a-f]{12})-[0-9a-f]{40}$/;function Td(e,t){let n=Od(t);return n===void 0?void 0:{id:`up_${e.toString(
16).padStart(12,"0")}${Ce().replaceAll("-","")}.${n}`,expiresAt:e,contentType:t}}function ks(e){let[,t,n=""]=yb.exec(e)??[],o=Ad(n);if(!(t===void 0||o===void 0))return{id:e,expiresAt:Number.parseInt(t,
16),contentType:o}}function ko({id:e}){return ws+e}function hn(e){return e.startsWith(ws)}function xo(e){return hn(e)?ks(e.slice(ws.length)):void 0}async function vo(e,{id:t}){let n=await ke(new TextEncoder().
encode(JSON.stringify([e,t])));return`${bs}${t.slice(3,15)}-${n.slice(0,40)}`}function Pd(e){let[,t]=hb.exec(e)??[];return t===void 0?void 0:Number.parseInt(t,16)}var gb=16,bb=1e4;async function Cd({files:e,clock:t},n){let o=[];for await(let a of e.list?.(bs)??[])if(!(t.now()<(Pd(a)??1/0))&&(o.push(a),o.length===n))break;let r=o.length===n,s=[],i=async()=>{for(let a=o.
pop();a!==void 0;a=o.pop()){let c=a;await M(t,bb,"file store",()=>e.delete(c)).catch(d=>s.push(d))}};if(await Promise.all(Array.from({length:gb},i)),s.length>0)throw s[0];return r}var Eo="/v1/inputs/:job/:token/:name",So=e=>ke(new TextEncoder().encode(e));async function _d(e,t,n){let o={job:t.id,token:await Jd(t),name:await Ld(n)};return e+Eo.replace(/:(\w+)/g,(r,s)=>o[s]??"")}
async function Md(e,t,n){let[o,r]=await Promise.all([So(t),Jd(e).then(So)]);if(o===r){for(let s of Ro(e.task??{}))if(await Ld(s)===n)return s}}function Ro(e){return Yn(e,hn).map(xo).filter(t=>t!==void 0)}
function Jd({clientToken:e}){return So(`input ${e}`)}async function Ld({id:e}){return`${(await So(e)).slice(0,16)}${e.slice(e.indexOf("."))}`}var wb=20*1024*1024,kb=60*6e4,xs=24,xb=54;function vs({id:e}){return`https://uploads.invalid/${e}`}function Nd(e,t,n,o){let r=s=>({maxInlineBytes:1/0,inlineBytes:()=>0,standIn:async i=>vs(i),given:s});
return e.link?r((s,{expiresAt:i},{key:a})=>n.link(a,Math.min(i,o()+kb))):t?.startsWith("https:")&&!no(new URL(t).hostname)?r((s,i)=>_d(t,s,i)):{maxInlineBytes:wb,inlineBytes:({file:s})=>s?.size??0,async standIn({
id:s,contentType:i},{file:a}){if(!a)throw new Error("The file store has neither open nor link.");let c=new Uint8Array(xs+xb);c.set(await n.read(a,xs)),c.set(new TextEncoder().encode(s),xs);let d=ve(c).
padEnd(Math.ceil(a.size/3)*4,"A");return`data:${i};base64,${d}`},async given(s,{contentType:i},{file:a}){if(!a)throw new Error("The file store has neither open nor link.");return`data:${i};base64,${ve(
await n.read(a))}`}}}var Id=20;function $d(e,t,n){let o=Se(n),r=new Map;return Ud(o,[],r),r.size===0?void 0:s();async function s(){if(r.size>Id)throw Oo("input",`An input may refer to at most ${Id} uploads.`);let a=await Promise.
all([...r].map(([l,p])=>i(l,p))),c=a.reduce((l,{inlineBytes:p})=>l+p,0),{maxInlineBytes:d}=e.form;if(c>d)throw Oo(a[0]?.field??"input",`The uploads of this input have ${c} bytes, each counted as often\
 as it is referred to. Here they may have ${d} together, because the provider gets them within its request.`);let u=new Map(a.map(({url:l,standIn:p})=>[l,p]));return{input:Ue(o,l=>u.get(l)??l),restored:l=>Ue(
l,p=>a.find(({standIn:f})=>f===p)?.url??p),mustLiveUntil:vb(a.map(({field:l,expiresAt:p})=>({field:l,expiresAt:p})))}}async function i(a,{field:c,times:d}){let u=xo(a),p=u&&e.now()<u.expiresAt?await e.
found.find(t,u):void 0;if(!u||!p)throw Oo(c,"There is no such upload, or it has expired.");let{expiresAt:f}=u,m=await e.form.standIn(u,p);return{url:a,field:c,expiresAt:f,standIn:m,inlineBytes:d*e.form.
inlineBytes(p)}}}function vb(e){return t=>{let n=e.find(({expiresAt:o})=>o<t);if(n)throw Oo(n.field,"The upload expires before the time for the job is over. Upload the file again.")}}function Ud(e,t,n){
if(typeof e=="string"){if(!hn(e))return;let{field:o,times:r}=n.get(e)??{field:t.join("."),times:0};n.set(e,{field:o,times:r+1})}else if(typeof e=="object"&&e!==null)for(let[o,r]of Object.entries(e))Ud(
r,[...t,o],n)}function Oo(e,t){return new v("invalid_request",`${e}: ${t}`,{param:e})}var Sb=2e4;function jd(e,t){let n=r=>M(t,Sb,"file store",r).catch(s=>{throw ze(s)});async function o(r){for await(let s of e.list?.(r)??[])if(s===r)return!0;return!1}return{async find(r,s){let i=await vo(
r,s),{open:a}=e;if(!a)return await n(()=>o(i))?{key:i}:void 0;let c=await n(()=>a(i));return c&&{key:i,file:c}},read:(r,s=r.size)=>n(async()=>{let i={start:0,end:Math.min(s,r.size)-1};return new Uint8Array(
await new Response(r.read(i)).arrayBuffer())}),link:(r,s)=>n(async()=>await e.link?.(r,s)??""),delete:r=>n(()=>e.delete(r))}}function Fd(e,t){let n=e.getReader(),o=[],r=0,s,i=!1,a;function c(l){s||i||(s={fault:l},n.cancel(l).catch(()=>{}),a?.error(l))}async function d(){let{done:l=!0,value:p}=await n.read().catch(f=>(c(f),{
done:!0,value:void 0}));if(r+=p?.byteLength??0,r>t&&c(new v("request_too_large",`An upload may have at most ${t} bytes.`)),s)throw s.fault;return i=l,p}let u=new ReadableStream({start(l){a=l},async pull(l){
let p=o.shift()??(i?void 0:await d());p===void 0?l.close():l.enqueue(p)},async cancel(l){i=!0,await n.cancel(l)}},{highWaterMark:0});return{async beginning(l){let p=[];for(;p.length<l;){let f=await d();
if(f===void 0)break;o.push(f),p.push(...f.subarray(0,l))}return Uint8Array.from(p)},stream:u,size:()=>r,end:c,fault:()=>s?.fault}}var Ss=60*6e4,Rb=2*Ss,Ob=5e3;function Dd({maxBytes:e,retentionHours:t,maxAtOnce:n},{files:o,clock:r,closing:s}){let i=$e(n),a=dt();function c(p){if(s.hasEnded)throw Bd();if(!i.fits(1)||!i.mayHave(p,1))
throw new v("capacity_exceeded","Too many files are being uploaded. Try again.");return i.add(p,1),a.begin(),()=>{i.add(p,-1),a.end()}}async function d(p,f){let m=Fd(f,e),y=()=>{},h=y;try{y=c(p),h=s.onEnd(
()=>m.end(Bd()));let b=u(await m.beginning(12)),g=await vo(p,b);await M(r,Rb,"file store",()=>o.put(g,m.stream,b.contentType)).catch(O=>{throw m.fault()??ze(O)});let{id:x,contentType:A,expiresAt:k}=b,
E=k-t*Ss,S={contentType:A,bytes:m.size(),sha256:await l(g)};return{id:x,url:ko(b),...S,createdAt:E,expiresAt:k}}catch(b){throw m.end(b),b}finally{h(),y()}}function u(p){if(p.byteLength===0)throw new v(
"invalid_request","The request body is empty. Send the bytes of the file.");let f=Td(r.now()+t*Ss,Qn(p));if(f)return f;throw new v("unsupported_media_type","The first bytes are not those of a picture,\
 film or sound that can be uploaded: PNG, JPEG, WebP, GIF, AVIF, HEIC, MP4, QuickTime, WebM, MP3, WAV, Ogg, FLAC or M4A.")}async function l(p){return(await M(r,Ob,"file store",()=>o.open?.(p)).catch(()=>{}))?.
sha256}return{store:d,settled:a.settled}}function Bd(){return new v("shutting_down","The service is shutting down.")}var Ab=96*1024*1024;function Wd(e,t){let n=ho(Ab);async function o(s,i){let a=[],c=()=>{for(let u of a.splice(0))u()},d=new Map;for(let[u,l]of r(i)){let p=await t.find(s.owner,l),f=i.filter(({id:y})=>y===
l.id).length,m=p&&n.hold(f*e.inlineBytes(p));if(!p||!m)return c(),p?{later:{}}:{gone:`The upload ${u} is no longer there.`};a.push(m),d.set(u,await e.given(s,l,p).catch(y=>(c(),Promise.reject(y))))}return{
input:Ue(s.task??{},u=>d.get(u)??u),letGo:c}}let r=s=>new Map(s.map(i=>[ko(i),i]));return{given(s){let i=Ro(s.task??{});return i.length===0?void 0:o(s,i).catch(()=>({later:{why:"files"}}))},shown(s){let i=r(
Ro(s));return i.size===0?s:Ue(s,c=>{let d=i.get(c);return d?vs(d):c})}}}var qd=60*6e4;function Gd({uploads:e,deadlineMs:t,callbackBaseUrl:n},o){if(!e)return;let{files:r,jobs:s,clock:i,start:a}=o;if(!r.list)throw new TypeError("createGenerationService: uploads needs a file\
 store with list, such as diskFiles({ folder }), and files has none.");if(e.retentionHours*qd<=t)throw new TypeError(`createGenerationService: uploads.retentionHours must be longer than deadlineMs, wh\
ich is ${t/qd} hours.`);let c=()=>i.now(),d=jd(r,i),u=Nd(r,n,d,c),l=Dd(e,o);return{...Wd(u,d),in:(p,f)=>$d({found:d,form:u,now:c},p,f),deleteExpired:p=>Cd(o,p),settled:l.settled,face:{maxBytes:e.maxBytes,
async store(p,f){return a(),l.store(p,f)},async delete(p,f){let m=ks(p),y=m&&c()<m.expiresAt?await d.find(f,m):void 0;if(!y)throw new v("file_not_found","There is no such upload, or it has expired.");
await d.delete(y.key)},async openInput(p,f,m){let y=await s.get(p);if(!y||C(y)&&!vt(y)||z(y,c()))return;let h=await Md(y,f,m),b=h&&(await d.find(y.owner,h))?.file;return b&&{owner:y.owner,file:b}}}}}var Vd=500,Es=5e3,Tb=250,Pb=50,Ze=100,Cb=1e4,_b=100,Hd=50,Mb=10*6e4,Jb=3e4;function Kd(e){let{clock:t,clockIsRight:n,log:o}=e,r=!1;function s(d,u){let l=()=>{},p=f();async function f(){let m=Es;try{m=
await M(t,Jb,`sweep for ${d}`,async()=>(await n(),u()))}catch(y){o.error(`The job store could not be swept for ${d}; the next try follows.`,{cause:y})}r||(l=t.after(m,()=>p=f()))}return()=>(l(),p)}let i=[
s("due jobs",Lb(e,()=>r)),s("expired jobs",async()=>await ba(e,Ze)===Ze?Hd:Es)],{uploads:a,processes:c}=e;return a&&i.push(s("expired uploads",async()=>await a.deleteExpired(Ze)?Hd:Mb)),c&&i.push(s("j\
obs of ended processes",()=>Nb(e,c))),async()=>{r=!0,await Promise.all(i.map(d=>d()))}}function Lb({jobs:e,clock:t,look:n,advance:o,laneOf:r,isShared:s},i){let a=new Set,c=0,d=!0,u=!1,l=new Set;async function p(m){
if(l.has(m))return;let y=await r(m);l.add(m),y.run(async()=>{l.delete(m),i()||await o(m)})}async function f(){let m=t.now();for(let y of await e.due(m+Z,Cb)){let h=await e.get(y);h?.updatedAt!==void 0&&
h.updatedAt>m&&await p(y)}}return async()=>{u||=n(),u&&await f(),u=!1;let m=t.now()-(d?0:Tb);d=!1;let y=await e.due(m,Ze,c);y.length===Ze&&y.every(g=>a.has(g))&&(c+=Ze,y=await e.due(m,Ze,c)),await Promise.
all(Ib(y).map(p));let h=y.filter(g=>a.has(g)).length;if(a=new Set(y),y.length===Ze)return c+=h,_b;let b=c+h>=Pb;return c=0,s&&!b?Vd:Es}}async function Nb({jobs:e,clock:t},n){let o=new Map;for(let r of await n.
leftBehind(Ze)){let s=await e.get(r),i=Fr(s?.claimToken);if(!s||!i)continue;o.has(i)||o.set(i,await n.hasEnded(i));let a=o.get(i)?H(s,{type:"freed"},t.now()):"already_claimed";typeof a!="string"&&await K(
e,a,s.revision)}return Vd}function Ib(e){return e.map(n=>({item:n,lot:Math.random()})).toSorted((n,o)=>n.lot-o.lot).map(({item:n})=>n)}var Ao=2e3;function zd({read:e,advancer:t,readers:n,clock:o}){return async(r,s)=>{let i=await e(r,s),a=o.now(),d=St(i,a)||t.isUnderWay(r)?t.advance(r):void 0;if(i.phase!=="running")return i;if(d)return await ct(
o,Ao,d),e(r,s);if(!Pe(i,a)||i.isQuiet)return i;let u=l=>l.revision>i.revision&&!Pe(l,o.now());return n.wait({id:r,owner:s,known:i,isWanted:u,budgetMs:Ao})}}var $b=10,Ub=1e4,jb=64;function Yd({jobs:e,providers:t,routesOf:n,callbacks:o,scheduler:r,signals:s,clock:i,log:a,advance:c}){return async(l,p,f)=>{if(f&&!d(f))return!1;let m=await e.get(l);if(m&&z(m,
i.now()))return!1;let y=m&&n(m.model)?.of(m)?.provider;if(!m||!y?.readCallback||!await Fb(f,y,m))return!1;let h=typeof p=="function"?await p():p,b;try{let g=M(i,Ub,`provider ${y.name}`,async()=>y.readCallback?.(
h));b=Se(await g)}catch(g){return a.warn(`A callback of provider ${y.name} for job ${l} was not accepted: ${U(g)}`,D(m,y.name)),!1}return b===void 0?!1:(o.heard(y.name,l),await u(typeof p=="function"?
await e.get(l):m,b),!0)};function d({provider:l,token:p}){return p.length===jb&&t.some(({name:f,readCallback:m})=>m&&f===l)}async function u(l,p){let f=l;for(let m=0;f&&m<$b;m++){let y=i.now(),h=Math.
max(y,(Ut(f)??0)+1e3),b=vt(f)?{type:"adopted",handle:p}:{type:"hinted",pollAt:h},g=H(f,b,y);if(typeof g=="string")return;let w=await K(e,g,f.revision);if(w==="written")return C(f)&&a.warn(`${xe(g)} go\
es on: its callback has come after the job failed.`,D(g)),s.publish(f.id),r.wakeAt(f.id,h),void c(f.id);f=w}if(f)throw new v("store_unavailable","The callback could not be recorded. Send it again.")}}
async function Fb(e,{name:t},n){if(!e)return!0;let[o,r]=await Promise.all([e.token,await hr(n)].map(Bb));return e.provider===t&&o===r}function Bb(e){return ke(new TextEncoder().encode(e))}import{LRUCache as Db}from"lru-cache";var Wb=6e4,qb=100;function To(e){let t=new Db({max:qb});return n=>{let o=e.uptime(),r=t.get(n);if(r&&o-r.at<Wb){r.leftOut++;return}return t.set(n,{at:o,leftOut:0}),
{isFirst:r===void 0,leftOut:r?.leftOut??0}}}function Qd(e,t){let n=To(t);function o(r,s,i){let{message:a,cause:c}=s,d=n(`${a} ${Gb(c)}`);if(!d)return;if(d.isFirst)return e.error(`${r} ${a}`,{...i,cause:c});let{leftOut:u}=d;e.error(`${r} ${a} Th\
is has happened ${u+1} times since the last line about it: ${U(c)}`,{...i,cause:void 0,leftOut:u})}return{warn:(r,s)=>e.warn(r,s),error(r,s){let i=s?.cause;i instanceof v&&i.code==="store_unavailable"?
o(r,i,s??{}):e.error(r,s)}}}function Gb(e){let{name:t,code:n,errcode:o}=e??{};return[t,n,o].map(String).join(" ")}var Hb=new Set(["submit_ambiguous","service_failed","provider_lost","output_invalid","deadline_exceeded"]),Vb=new Set(["provider_rejected","content_policy","input_fetch_failed","canceled"]),Kb=[401,402,
403];function Xd(e,t){let n=To(t);function o(r,s,i){let a=r===void 0?{leftOut:0}:n(r);if(!a)return;let{leftOut:c}=a;if(c===0)return e.warn(s,i);e.warn(`${s} (${c} more like this since the last line ab\
out it)`,{...i,leftOut:c})}return{ended(r,s,{status:i,isAccountAtFault:a,cause:c}={}){let{phase:d,error:u,costUsd:l}=r;if(d!=="failed"||!u)return;let{code:p}=u,f=c===void 0?void 0:U(c),m={...D(r,s),code:p,
status:i,costUsd:l||void 0,cause:f},y=f===void 0?u.message:`${u.message} (${f})`,h=`${xe(r,s)} failed as ${p}, ${zb(r)}: ${y}`;if(Hb.has(p))return e.error(h,m);let b=a||Vb.has(p);o(b?`ended ${m.provider}\
 ${p} ${i}`:void 0,h,m)},refused(r,s,{status:i,message:a,cause:c},d){let u=r.route===void 0?`provider ${s}`:`route ${r.route}`,l=d===void 0?"the next try follows":`${d} is next`,p=c===void 0?a:`${a} ${U(
c)}`,f=`Job ${r.id}: ${u} has not taken the request on (${p}); ${l}.`;o(`refused ${u} ${i} ${d}`,f,{...D(r,s),status:i})},unanswered(r,s,i){let a=Yb(i),c=Kb.includes(a)?`unanswered ${s} ${a}`:void 0,d={
...D(r,s),status:a};o(c,`Provider ${s}, job ${r.id}: ${Qb(i)}`,d)},unwritten(r,s,i,a){let c="handle"in s?{...r,handle:s.handle}:r,d="costUsd"in s?s.costUsd:void 0,u=d===void 0?"":` (cost $${d})`,l="co\
de"in s?s.code:void 0,p=`${s.type}${l===void 0?"":` as ${l}`}${u}`;e.error(`${xe(c,i)}: the outcome of a step, ${p}, could not be written to the job store. ${U(a)}`,{...D(c,i),code:l,costUsd:d})}}}function zb({
costUsd:e,handle:t,error:n,startedAt:o}){return e>0?`paid $${e}`:t!==void 0?"probably paid":o===void 0&&n?.code!=="submit_ambiguous"?"not paid":"perhaps paid"}function Yb(e){let{status:t}=e instanceof
Error?e:{};return typeof t=="number"?t:void 0}function Qb(e){let{code:t}=e instanceof Error?e.cause??{}:{};return t===void 0?U(e):`${U(e)} (${U(t)})`}function Zd(e){function t(n){try{n()}catch{}}return{warn:(n,o)=>t(()=>e.warn(n,o)),error:(n,o)=>t(()=>e.error(n,o))}}function eu({maxWaiters:e,maxWaitersPerOwner:t,keepProcessAlive:n}){let o=new Map,r=new Map,s=0,i=!1,a=()=>{};return{makeRoom(c){if(i)return!1;if(o.size<e)return!0;if(s===0||(r.get(c)??0)>=t)return!1;
for(let[d,u]of o)if(!((r.get(u)??0)<=t))return d(),!0;return!1},take(c,d){let u=(r.get(d)??0)+1;o.size===0&&(a=n()),o.set(c,d),r.set(d,u),u>t&&s++},giveBack(c){let d=o.get(c);if(d===void 0)return!1;let u=r.
get(d)??0;return o.delete(c),o.size===0&&a(),u>t&&s--,u>1?r.set(d,u-1):r.delete(d),!0},has:c=>o.has(c),count:()=>o.size,close(){i=!0;for(let c of o.keys())c()}}}function Rs(e){let{signals:t,clock:n,read:o}=e,r=eu(e);return{wait({id:s,owner:i,known:a,isWanted:c,budgetMs:d,onLeave:u}){return d<=0||!r.makeRoom(i)?a?Promise.resolve(a):o(s,i):new Promise((l,p)=>{let f=a,
m=!1,y=!1,h=!1,b=()=>{h=!0,f&&(g(),l(f))},g=()=>{r.giveBack(b)&&(E(),S(),k?.())},w=async()=>{if(y=!0,!m){m=!0;try{for(;y&&r.has(b);)y=!1,f=await o(s,i),(h||c(f))&&b()}catch(O){g(),p(O)}m=!1}},x=O=>{if(!O||
!f)return void w();O.revision>f.revision&&(f=O),c(f)&&b()},A=()=>{h=!0,m?b():w()},k=u?.(b),E=t.subscribe(s,x),S=n.after(d,A);r.take(b,i),w()})},places:r,count:r.count,close:r.close}}function tu(e){let{maxWaitersPerOwner:t=Math.ceil(e.maxWaiters/4)}=e,n={maxWaiters:Number.POSITIVE_INFINITY,maxWaitersPerOwner:Number.POSITIVE_INFINITY};return{waiters:Rs({...e,maxWaitersPerOwner:t}),
readers:Rs({...e,...n})}}var Os=3e3;async function nu(e,t,n,o){let r=new As(e,t,n,o);return await r.begin(),r.end}var As=class{end=()=>{this.#s||(this.#s=!0,this.#n.places.giveBack(this.end),this.#c?.(),this.#f?.(),this.#d?.(),
this.#r.onEnd())};#p=()=>{this.#g()};#n;#o;#t;#r;#e;#i=!1;#a=!1;#s=!1;#c;#f;#d;constructor(t,n,o,r){this.#n=t,this.#o=n,this.#t=o,this.#r=r}async begin(){let{signals:t,read:n,places:o}=this.#n,r=s=>{s&&
this.#e?this.#u(s):this.#l()};this.#c=t.subscribe(this.#o,r);try{let s=await n(this.#o,this.#t);if(!C(s)){if(!o.makeRoom(this.#t))throw new v("capacity_exceeded","Too many requests are waiting for job\
s. Try again.");o.take(this.end,this.#t)}this.#u(s)}catch(s){throw this.end(),s}this.#s||(this.#f=t.news?.subscribe(this.#o,s=>this.#r.onNews(s)),this.#i&&this.#l(),this.#y(),this.#h())}#u(t){this.#s||
this.#e&&t.revision<=this.#e.revision||(this.#e=t,this.#r.onChange(t),C(t)&&this.end())}async#l(){if(this.#i=!0,!(this.#a||!this.#e)){this.#a=!0;try{for(;this.#i;)this.#i=!1,this.#u(await this.#n.read(
this.#o,this.#t))}catch(t){this.#i=!0,t instanceof v&&t.code==="job_not_found"&&this.end()}this.#a=!1}}async#g(){let t=this.#m()>0;this.#y(),this.#r.onLook?.(),!t&&(await this.#l(),this.#s||this.#h())}#y(){
this.#d=this.#n.clock.after(this.#m()||Os,this.#p)}#h(){let{clock:t,advance:n}=this.#n;this.#m()===0&&St(this.#e,t.now())&&n(this.#o)}#m(){let t=this.#n.clock.now()-(Ut(this.#e)??Number.NEGATIVE_INFINITY);
return t>=0&&t<Os?Os-t:0}};var Xb=5*6e4;async function ou({jobs:e,clock:t,log:n,givingUp:o},r){let s=async()=>{let a=await e.get(r.id);for(;a;){let c={type:"withdrawn",unusedClaim:r.claimToken},d=H(a,c,t.now());if(typeof d=="st\
ring")return i(a);let u=await K(e,d,a.revision);if(u==="written")return e.delete(r.id);a=u}};function i(a){C(a)||n.warn(`${xe(a)} goes on although its owner was told that it could not be stored.`,D(a))}
await ge(s,{clock:t,givingUp:o,forMs:Xb}).catch(()=>{})}function Ts(e){let t=ld(e),{files:n=Ta(),spool:o,maxWaiters:r,maxWaitersPerOwner:s,webhooks:i}=t,a=t.clock?void 0:t.backend?.clock,c=t.clock??a??ye(),d=Zd(Qd(Ba(t.log??console),c)),u=yo(d,"onJobEnd",t.
onJobEnd,L=>L),l=t.backend??Oa({clock:c}),{models:p,modelOf:f,routesOf:m,providers:y,gates:h}=Gc(t.providers,c,d),{scheduler:b,signals:g}=l,w=qa(c),x=_c(d),A=Ft(),k=Ft(),E=Ft(),S=a?Rc(l,c,E):()=>{},O=l.
processes&&Tc(l.processes,c,E),{onTransition:P}=t,T=Ed(l.jobs,{clock:c,clockSteps:w,closedStore:E,log:d,onTransition:P}),J=Pc(),_=Vc(),I=Xd(d,c),F=id(t,T,c),G=ad(c,t.maxRunningJobsPerOwner);Mc(l.jobs,
{files:n,spool:o,clock:c,log:d});let ee=Gd(t,{files:n,jobs:T,clock:c,closing:A,start:oe}),te={signals:g,clock:c,read:Jt,keepProcessAlive:jt},{waiters:ne,readers:ht}=tu({...te,maxWaiters:r,maxWaitersPerOwner:s}),
Nn=i&&$c({webhooks:i,jobs:T,clock:c,log:d,closing:A,givingUp:k}),nt=Ec({jobs:T,isInThisProcess:Hn(l.jobs),files:n,spool:o,heldBytes:ho(t.maxHeldBytes),clockSteps:w,running:G,ownerMarkOf:_,onJobEnd:Bi,
processes:O,uploads:ee,scheduler:b,signals:g,clock:c,log:d,trouble:I,routesOf:m,deliverer:Nn,callbacks:J,callbackBaseUrl:t.callbackBaseUrl,copyOutputs:Dc(t,{files:n,clock:c,log:d,ownerMarkOf:_,closing:A,
givingUp:k}),moderateOutputs:Hc(t.moderate?.outputs,{clock:c,log:d,givingUp:k,modelOf:f}),onAmbiguousSubmit:t.onAmbiguousSubmit,schedule:ua(p),closing:A,givingUp:k}),{advance:Ie,laneOf:fr}=nt,Rm=zd({read:Jt,
advancer:nt,readers:ht,clock:c}),Om={...te,places:ne.places,advance:Ie},mr=Fa(t,{jobs:T,models:p,modelOf:f,admit:F.admit,uploads:ee,start:oe,running:G,clock:c,begin:nt.begin,withdraw:L=>{ou({jobs:T,clock:c,
log:d,givingUp:k},L)}}),Am={jobs:T,clock:c,signals:g,scheduler:b,onEnd:Bi},Tm=xd({jobs:T,clock:c,closing:A,closedStore:E,waiters:ne,advancer:nt,gates:h}),Pm=Yd({jobs:T,providers:y,routesOf:m,callbacks:J,
scheduler:b,signals:g,clock:c,log:d,advance:Ie}),Ui=!1,ji,ot;function Fi(){if(ot)throw new v("shutting_down","The service is shutting down.")}function oe(){Fi(),!Ui&&(Ui=!0,l.durable||d.warn("genmount\
 keeps jobs in memory: they are lost when this process ends."),x.started(p),b.start(L=>{Ie(L)}),!ot&&(ji=Kd({look:w.look,clockIsRight:S,jobs:T,files:n,spool:o,clock:c,log:d,advance:Ie,laneOf:fr,processes:O,
uploads:ee,isShared:l.durable})))}function Bi(L,j=L.provider,Y){G.saw(L),x.ended(L),F.ended(L),Nn?.take(L),u(L),I.ended(L,j,Y)}async function Jt(L,j){return ys(j,await T.get(L,j),c.now())}return{models:p,
clock:c,files:n,log:d,uploads:ee?.face,retentionDays:t.retentionDays,waitBudgetMs:t.waitBudgetMs,countRequest:F.countRequest,hasWebhooks:i!==void 0,get isClosing(){return A.hasEnded},start:oe,health:Tm,
async ready(){Fi(),await jc({clock:c,closing:A,backend:l,files:n,spool:o,providers:y})},async create(L){oe();let j=S();j&&await j;let Y=await mr.accept(L);return!Y.replayed&&Y.job.phase==="accepted"&&
Ie(Y.job.id),Y},async get(L,j){return ot?Jt(L,j):(oe(),Rm(L,j))},async list(L){return ot||oe(),fd(T,c,L)},async waitFor(L,j,{budgetMs:Y=t.waitBudgetMs,onLeave:Di}={}){ot||oe();let Cm=Math.min(Y,t.waitBudgetMs);
return ne.wait({id:L,owner:j,isWanted:C,budgetMs:Cm,onLeave:Di})},async watch(L,j,Y){return oe(),nu(Om,L,j,Y)},async deliveries(L,j){return ot||oe(),(await Jt(L,j)).webhook},receiveCallback(L,j,Y){return ot||
oe(),Pm(L,j,Y)},async cancel(L,j){oe();let Y=ys(j,await Cc(Am,await Jt(L,j)),c.now());return C(Y)||(Ie(L).then(()=>Ie(L)),Y.phase!=="running")?Y:ht.wait({id:L,owner:j,known:Y,isWanted:C,budgetMs:Ao})},
async retry(L){oe();let{job:j}=await mr.acceptAgain(bd(await T.get(L),c.now()));return j.phase==="accepted"&&Ie(j.id),j},async delete(L,j){oe(),await Jc({jobs:T,files:n,spool:o,clock:c,log:d},await Jt(
L,j))},async costs(L){return oe(),wo(T,L)},async usage(L){return oe(),gd(T,L)},close(L){let{timeoutMs:j}=pd(L);return ot??=Uc({clock:c,log:d,closing:A,givingUp:k,closedStore:E,stopSweep:()=>ji?.(),...{
waitingRooms:[ne,ht],acceptor:mr,advancer:nt,uploads:ee,scheduler:b,providers:y,files:n,spool:o,backend:l}},j)}}}import{readdir as ck,rename as dk,rm as Pu}from"node:fs/promises";import{dirname as jo,join as Bs,resolve as uk}from"node:path";var W=class extends Error{name="FetchRefusedError";reason;status;retryable;constructor(t,n,o={}){super(n,o.cause===void 0?void 0:{cause:o.cause}),this.reason=t,this.status=o.status,this.retryable=t===
"network"||t==="timeout"||Zb(o.status)}};function Zb(e){return e!==void 0&&(e===408||e===429||e>=500)}function gn({origin:e},t){let n=t instanceof Error&&"code"in t?` (${t.code})`:"";return new W("net\
work",`${e} could not be reached, or the transfer broke off${n}.`,{cause:t})}function Po({origin:e},t){return new W("too_large",`${e} sent too much: at most ${t} bytes are accepted.`)}async function ru(e){let t=new Uint8Array(65536),n=0;for await(let o of e){if(n+o.byteLength>t.byteLength){let r=new Uint8Array(Math.max(t.byteLength*2,n+o.byteLength));r.set(t.subarray(0,n)),t=r}t.set(
o,n),n+=o.byteLength}return t.slice(0,n)}import{Resolver as sw}from"node:dns/promises";import{networkInterfaces as iw}from"node:os";import du from"node:process";import{readFileSync as ew,statSync as tw}from"node:fs";import{isIP as nw}from"node:net";function su(e){let t=new Map;return n=>{let o=tw(n,{throwIfNoEntry:!1}),r=`${o?.mtimeMs} ${o?.size} ${o?.ino}`,s=t.
get(n);return s?.version!==r&&(s={version:r,content:e(o?ew(n,"utf8").split(`
`):[])},t.set(n,s)),s.content}}var ow=su(e=>{let t=new Map;for(let n of e){let[o="",...r]=n.replace(/#.*/,"").trim().split(/\s+/),s=nw(o);if(s!==0)for(let i of r.map(a=>a.toLowerCase()))t.set(i,[...t.
get(i)??[],{address:o,family:s}])}return t});function iu(e,t){return ow(e).get(t.toLowerCase().replace(/\.$/,""))}var rw=su(e=>e.reduce((t,n)=>{let[o,...r]=n.trim().split(/\s+/);return o==="search"||o===
"domain"?r.filter(s=>s!=="."):t},[]));function au(e){return rw(e)}function cu(e){let t=e,n=new Map,o=new Map;function r(c){let d=n.get(c)??0;return t>0&&(c===void 0||d===0||d+1<=t-1)}function s(c){return t--,n.set(c,(n.get(c)??0)+1),()=>i(c)}function i(c){t++;let d=(n.
get(c)??0)-1;d===0?n.delete(c):n.set(c,d),a()}function a(){for(let[c,d]of o){let[u]=d;!u||!r(c)||(o.delete(c),d.size>1&&o.set(c,d),d.delete(u),u())}}return{async enter(c,d){return c.throwIfAborted(),r(
d)?s(d):new Promise((u,l)=>{let p=o.get(d)??new Set,f=()=>{p.delete(m),p.size===0&&o.delete(d),l(c.reason)},m=()=>{c.removeEventListener("abort",f),u(s(d))};o.set(d,p.add(m)),c.addEventListener("abort",
f)})}}}function Co(e={}){let{places:t=64,limitMs:n=5e3,servers:o}=e,{hostsFile:r=aw(),resolverFile:s="/etc/resolv.conf"}=e,i=cu(t);async function a(c,d){let u=c.endsWith(".")?[]:au(s).map(f=>`${c}.${f}`),l=c.
includes(".")?[c,...u]:[...u,c],p;for(let f of l){let[m,y]=await Promise.allSettled([d.resolve4(f),d.resolve6(f)]),h={4:m,6:y},b=dw().flatMap(g=>h[g].status==="fulfilled"?h[g].value.map(w=>({address:w,
family:g})):[]);if(b.length>0)return b;if(p=[m,y].flatMap(g=>g.status==="rejected"?[g.reason]:[]).toSorted((g,w)=>Number(Ps(g))-Number(Ps(w)))[0],!Ps(p))break}throw p??new Error(`${c} has no address`)}
return async(c,d,u)=>{let l=cw(c)??iu(r,c);if(l)return l;let p=await i.enter(d,u),f=new sw({timeout:1e3,tries:2}),m=!1,y=()=>f.cancel(),h=setTimeout(()=>{m=!0,y()},n);d.addEventListener("abort",y);try{
return o&&f.setServers(o),await a(c,f)}catch(b){throw m?Object.assign(new Error(`DNS has not answered within ${n} ms`,{cause:b}),{code:"ETIMEOUT"}):b}finally{clearTimeout(h),d.removeEventListener("abo\
rt",y),p()}}}function aw(){return du.platform!=="win32"?"/etc/hosts":`${du.env.SystemRoot}\\System32\\drivers\\etc\\hosts`}function cw(e){if(/(^|\.)localhost\.?$/i.test(e))return[{address:"127.0.0.1",
family:4},{address:"::1",family:6}]}function dw(){let e=Object.values(iw()).flatMap(n=>(n??[]).filter(({internal:o,scopeid:r})=>!o&&!r));return e.length>0&&e.every(({family:n})=>n==="IPv6")?[6,4]:[4,6]}
function Ps(e){let{code:t}=e??{};return t==="ENOTFOUND"||t==="ENODATA"}import{isIP as bw}from"node:net";import{BlockList as uw,isIP as Cs}from"node:net";function _o(e){return bn(e,gw)}function bn(e,t){let n=lw(e);return n!==void 0&&t(n)===!0}function lw(e){if(Cs(e)===4)return e;if(Cs(e)!==6||e.includes(
"%"))return;let t=new URL(`http://[${e}]`).hostname.slice(1,-1);return fw.check(t,"ipv6")?pw(t):t}function pw(e){let[t=0,n=0]=e.split(":").toReversed().map(o=>+`0x0${o}`);return[n>>8,n&255,t>>8,t&255].
join(".")}var fw=Mo("ipv6",["::ffff:0:0/96","64:ff9b::/96"]),mw=Mo("ipv4",["0.0.0.0/8","10.0.0.0/8","100.64.0.0/10","127.0.0.0/8","168.63.129.16/32","169.254.0.0/16","172.16.0.0/12","192.0.0.0/24","19\
2.0.2.0/24","192.31.196.0/24","192.52.193.0/24","192.88.99.0/24","192.168.0.0/16","192.175.48.0/24","198.18.0.0/15","198.51.100.0/24","203.0.113.0/24","224.0.0.0/3"]),yw=Mo("ipv6",["2000::/3"]),hw=Mo(
"ipv6",["2001::/23","2001:db8::/32","2002::/16","2620:4f:8000::/48","3fff::/20"]);function gw(e){return Cs(e)===4?!mw.check(e,"ipv4"):yw.check(e,"ipv6")&&!hw.check(e,"ipv6")}function Mo(e,t){let n=new uw;
for(let o of t){let[r="",s]=o.split("/");n.addSubnet(r,Number(s),e)}return n}function _s(e){try{let t=Qt(e,_o);if(uu(t)===void 0&&xw(t.hostname))throw new W("address",`${t.origin} is refused: give a host name of the public internet.`);return{allowed:!0,url:t}}catch(t){if(t instanceof
W)return{allowed:!1,refusal:t};throw t}}function Qt(e,t,n){if(!URL.canParse(String(e),n))throw new W("bad_url","The URL cannot be parsed: give an absolute http or https URL.");let o=new URL(e,n);if(o.
protocol!=="http:"&&o.protocol!=="https:")throw new W("scheme","The scheme of the URL is refused: give an http or https URL.");if(o.username!==""||o.password!=="")throw new W("bad_url",`The URL of ${o.
origin} is refused: give it without user name and password.`);if(!kw(o.port))throw new W("port",`The port of ${o.origin} is refused: give 80, 443 or a web port from 1024 on.`);let r=uu(o);if(r!==void 0&&
!bn(r,t))throw Ms(o);return o}function Ms(e){return new W("address",`${e.origin} is refused: only hosts with a public address are fetched.`)}var ww=[1719,1720,1723,2049,3659,4045,4190,5060,5061,6e3,6566,
6665,6666,6667,6668,6669,6679,6697,10080];function kw(e){return["","80","443"].includes(e)||Number(e)>=1024&&!ww.includes(Number(e))}function uu({hostname:e}){let t=e.replace(/^\[|\]$/g,"");return bw(
t)===0?void 0:t}function xw(e){let t=e.replace(/\.$/,"");return!t.includes(".")||/\.(localhost|local|localdomain|internal|home\.arpa)$/.test(t)}var lu=Object.keys({maxBytes:!0,timeoutMs:!0,accept:!0,signal:!0,owner:!0,allowAddress:!0,headers:!0});function Jo(e,t="guardedFetch"){let n=Object.keys(e).find(u=>!lu.includes(u));if(n!==void 0)throw new TypeError(
`${t}: ${n} is not an option; there are ${lu.join(", ")}`);let{maxBytes:o=20*1024*1024,timeoutMs:r=15e3,accept:s=["*/*"],allowAddress:i=_o}=e;if(!Number.isSafeInteger(o)||o<0)throw new TypeError("maxB\
ytes must be a whole number of bytes, 0 or more");if(!Number.isInteger(r)||r<1||r>2**31-1)throw new TypeError("timeoutMs must be a whole number of milliseconds from 1 to 2147483647");if(e.owner!==void 0&&
typeof e.owner!="string")throw new TypeError("owner must be a string");if(typeof i!="function")throw new TypeError("allowAddress must be a function from an IP address to a boolean");let{header:a,...c}=vw(
s),d={"user-agent":"genmount",accept:a,"accept-encoding":"identity"};return{maxBytes:o,timeoutMs:r,...c,signal:e.signal,owner:e.owner,allowAddress:i,commonHeaders:d,headers:{...d,...Ew(e.headers)}}}function vw(e){
if(typeof e=="function")return{accepts:e,acceptedTypes:"other types",header:"*/*"};if(!Array.isArray(e)||!e.every(r=>/^(\*|[\w.+-]+)\/(\*|[\w.+-]+)$/.test(r)))throw new TypeError('accept must be a fun\
ction or a list of media types such as "image/png" or "image/*"');let t=e.join(", "),n=e.map(r=>r.toLowerCase());return{accepts:r=>n.some(s=>s==="*/*"||s===r||s===`${r?.split("/")[0]}/*`),acceptedTypes:t,
header:t}}var Sw=/^(host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|content-length|expect|range|accept-encoding|proxy-.*)$/;function Ew(e={}){let t=Object.fromEntries(new Headers(e)),n=Object.
keys(t).find(o=>Sw.test(o));if(n!==void 0)throw new TypeError(`headers must not name "${n}", which guardedFetch sets itself`);return t}import pu from"node:http";import fu from"node:https";var mu={keepAlive:!1,proxyEnv:{}},Rw={request:pu.request,agent:new pu.Agent(mu)},Ow={request:fu.request,agent:new fu.Agent(mu)};function Lo(e,{url:t,headers:n,body:o,allowAddress:r,stop:s,owner:i}){return new Promise(
(a,c)=>{let d=(h,b,g)=>{u(h).then(([w,...x])=>{b.all?g(null,[w,...x]):g(null,w.address,w.family)},w=>g(w,[]))};async function u(h){let b=await e.lookUp(h,s,i);try{let[g,...w]=b.filter(({address:x})=>bn(
x,r));if(g===void 0)throw Ms(t);return[g,...w]}catch(g){throw c(g),g}}let{request:l,agent:p}=t.protocol==="https:"?Ow:Rw,f=o&&{method:"POST",headers:{...n,"content-length":o.byteLength}},m=e.ca&&{ca:e.
ca},y=l(t,{agent:p,headers:n,lookup:d,...f,...m});y.on("response",a),y.on("error",h=>c(gn(t,h))),y.on("close",()=>c(gn(t,void 0))),s.addEventListener("abort",()=>y.destroy()),y.end(o)})}function No(e,t){let n=new AbortController,o=setTimeout(()=>i(Aw(e)),e),r=()=>i(t?.reason),s=()=>{clearTimeout(o),t?.removeEventListener("abort",r)},i=a=>(s(),n.abort(a),n.signal.reason);return t?.addEventListener(
"abort",r),t?.aborted&&r(),{signal:n.signal,fail:i,complete:s}}function Aw(e){return new W("timeout",`The transfer took more than ${e/1e3} seconds and was stopped.`)}var Tw=16*1024,Pw=1e3,Js=Cw({lookUp:Co()});function Cw(e){return async(t,{body:n,...o})=>{let{allowAddress:r,headers:s,owner:i,timeoutMs:a,signal:c}=Jo(o,"guardedPost");if(typeof n!="string"&&!(n instanceof
Uint8Array))throw new TypeError("body must be a string or a Uint8Array");let d=typeof n=="string"?new TextEncoder().encode(n):n,u=No(a,c);try{let l=Qt(t,r);u.signal.throwIfAborted();let p=u.signal,f=await Lo(
e,{url:l,headers:s,body:d,allowAddress:r,stop:p,owner:i}),m=new Headers;for(let[y,h=[]]of Object.entries(f.headersDistinct))for(let b of h)m.append(y,b);return await _w(f),{status:f.statusCode??0,headers:m}}catch(l){
throw u.fail(l)}finally{u.fail(new Error("The post is over."))}}}async function _w(e){let t=setTimeout(()=>e.destroy(),Pw),n=0;try{for await(let o of e)if((n+=o.byteLength)>Tw)break}catch{}finally{clearTimeout(
t)}}import{Buffer as Mw}from"node:buffer";function yu(e,t,n,o){let r=e[Symbol.asyncIterator](),s=0;return new ReadableStream({start(i){o.signal.addEventListener("abort",()=>i.error(o.signal.reason))},async pull(i){try{let{done:a,value:c}=await r.
next();if(a)return o.complete(),i.close();s+=c.byteLength,s>n?o.fail(Po(t,n)):i.enqueue(c)}catch(a){o.fail(gn(t,a))}},cancel(i){o.fail(i)}},{highWaterMark:0})}var Ls=Jw({lookUp:Co()});function Jw(e){return async(t,n={})=>{let o=Jo(n),r=No(o.timeoutMs,o.signal);try{let{url:s,response:i}=await Nw(e,Qt(t,o.allowAddress),o,r.signal),a=Iw(i,s,o),c=yu(i,s,o.maxBytes,
r);return{url:s.href,...a,body:c,bytes:()=>ru(c)}}catch(s){throw r.fail(s)}}}var hu=3,Lw=[301,302,303,307,308];async function Nw(e,t,n,o){let{allowAddress:r,owner:s}=n,{headers:i}=n;for(let a=t,c=0;;c++){
o.throwIfAborted();let d=await Lo(e,{url:a,headers:i,allowAddress:r,stop:o,owner:s}),{location:u}=d.headers;if(!(u!==void 0&&Lw.includes(d.statusCode??0)))return{url:a,response:d};if(d.destroy(),c===hu)
throw new W("too_many_redirects",`${t.origin} redirects more than ${hu} times.`);let p=Qt(Mw.from(u,"latin1").toString(),n.allowAddress,a);if(a.protocol==="https:"&&p.protocol==="http:")throw new W("s\
cheme",`${a.origin} redirects to http: a redirect must stay on https.`);p.origin!==a.origin&&(i=n.commonHeaders),a=p}}function Iw(e,t,{accepts:n,acceptedTypes:o,maxBytes:r}){let{headers:s,statusCode:i=0}=e;
if(i!==200)throw new W("status",`${t.origin} answered with status ${i}, not 200.`,{status:i});if(!["","identity"].includes(s["content-encoding"]?.toLowerCase()??""))throw new W("content_encoding",`${t.
origin} sent a compressed body: only uncompressed bodies are accepted.`);let a=/^[\w.+-]+\/[\w.+-]+/.exec(s["content-type"]??"")?.[0].toLowerCase();if(!n(a)){let d=a??"no media type";throw new W("cont\
ent_type",`${t.origin} sent ${d}; accepted: ${o}.`)}let c=s["content-length"]===void 0?void 0:Number(s["content-length"]);if(c!==void 0&&c>r)throw Po(t,r);return{contentType:a,contentLength:c}}import{mkdir as $w,open as Uw}from"node:fs/promises";import{dirname as Ns}from"node:path";async function wn(e){let t=await $w(e,{recursive:!0,mode:448});if(t!==void 0)for(let n=e;n!==Ns(n)&&n.length>=
t.length;n=Ns(n))await Io(Ns(n)).catch(jw)}function jw(e){if(e.code!=="EACCES"&&e.name!=="NotCapable")throw e}async function Io(e){if(process.platform==="win32")return;let t=await Uw(e);try{await t.sync()}catch(n){
if(n.code!=="EINVAL")throw n}finally{await t.close()}}var Fw={ENOSPC:"no space is left on the disk",EDQUOT:"the disk quota is used up",EFBIG:"a file is larger than this process may write",EROFS:"the disk is read-only",EACCES:"permission is missing",EPERM:"\
permission is missing",EEXIST:"that is not a folder",ENOTDIR:"that is not a folder",ELOOP:"there is a symbolic link in place of a file",EMFILE:"this process has too many open files"};async function kn(e,t){
try{return await t}catch(n){throw new Error(`Files in ${e}: ${Bw(n)}.`,{cause:n})}}function Bw(e){let{code:t="",message:n}=e,o=Fw[t];return o===void 0?n:`${o} (${t})`}import{randomUUID as Dw}from"node:crypto";import{opendir as Ww,rm as qw,stat as Gw}from"node:fs/promises";import{join as Hw}from"node:path";var gu=".incoming",Is=3600*1e3;function $o(){return`${Dw()}${gu}`}
async function bu(e){for await(let{name:t}of await Ww(e)){if(!t.endsWith(gu))continue;let n=Hw(e,t);await Vw(n).catch(()=>{})}}async function Vw(e){let{mtimeMs:t}=await Gw(e);t<Date.now()-Is&&await qw(
e)}function wu(e){return new ReadableStream({async pull(t){let{done:n,value:o}=await e.next();n?t.close():t.enqueue(o)},async cancel(){await e.return()}},{highWaterMark:0})}import{rm as Kw,writeFile as zw}from"node:fs/promises";import{join as Yw}from"node:path";var ku="Let the user of this process write there, or choose another folder.",xu="Move the file in its place away, or choose another folder.",vu="Make room, or choose a folder on another disk.",Qw={EACCES:ku,
EPERM:ku,EEXIST:xu,ENOTDIR:xu,EROFS:"Choose a folder on a disk that can be written.",ENOSPC:vu,EDQUOT:vu};async function Su(e){let t=Yw(e,$o());try{await kn(e,wn(e)),await kn(e,zw(t,"genmount",{flag:"\
wx",mode:384}))}catch(n){let{message:o,cause:r}=n,s=Qw[r.code??""];throw s===void 0?n:new Error(`${o} ${s}`,{cause:r})}finally{await Kw(t,{force:!0}).catch(()=>{})}}import{constants as js,open as Xw}from"node:fs/promises";import{basename as Zw}from"node:path";async function $s(e,t){for(let n=0;n<t.byteLength;){let{bytesWritten:o}=await e.write(t,n,t.byteLength-n);n+=o}}async function xn(e,t,n){let o=new Uint8Array(n);for(let r=0;r<n;){let{bytesRead:s}=await e.
read(o,r,n-r,t+r);if(s===0)throw new RangeError("it ends too early");r+=s}return o}var Us=Buffer.from("gmf1"),Eu=4+Us.byteLength;function Ru(e){let t=Buffer.from(JSON.stringify(e)),n=Buffer.alloc(4);return n.writeUInt32LE(t.byteLength),Buffer.concat([t,n,Us])}async function Ou(e){let t=await e.
stat();if(!t.isFile())throw new TypeError("it is not a file");let n=t.size-Eu,o=Buffer.from(await xn(e,Math.max(n,0),Eu));if(!o.subarray(4).equals(Us))throw new TypeError("its end is missing");let r=n-
o.readUInt32LE();if(r<0)throw new RangeError("its start is missing");let s=await xn(e,r,n-r),i=JSON.parse(Buffer.from(s).toString());if(i.size!==r)throw new RangeError(`it has ${r} bytes of ${i.size}`);
return i}var ek=js.O_RDONLY|(js.O_NOFOLLOW??0)|(js.O_NONBLOCK??0);async function Uo(e){let t=await Xw(e,ek).catch(n=>{if(n.code!=="ENOENT")throw n});if(t)try{return{handle:t,record:await Ou(t)}}catch(n){throw await t.
close(),new Error(`${Zw(e)} is damaged, ${n.message}`,{cause:n})}}import{createHash as tk}from"node:crypto";var nk=/^[a-z]{1,32}\/[a-z0-9-]{1,200}$/;function Fs(e){return nk.test(e)?e:tk("sha256").update(Buffer.from(e,"utf16le")).digest("hex")}import{createHash as ok}from"node:crypto";async function*Au(e,t,{start:n,end:o}){let r=await Uo(e);if(r?.record.sha256!==t.sha256)throw await r?.handle.close(),new Error(`The stored file ${e} was deleted or replaced`);let{handle:s}=r,i=Math.min(
o+1,t.size),a=n===0&&i===t.size?ok("sha256"):void 0;try{for(let c=n;c<i;c+=32768){let d=await xn(s,c,Math.min(32768,i-c));if(a?.update(d),c+d.byteLength===i&&a&&a.digest("hex")!==t.sha256)throw new Error(
`The stored file ${e} is damaged: its SHA-256 is not ${t.sha256}`);yield d}}finally{await s.close()}}import{createHash as rk}from"node:crypto";import{open as sk}from"node:fs/promises";async function Tu(e,{key:t,body:n,contentType:o},r){let s=await r(sk(e,"wx",384));try{let i=rk("sha256"),a=0;for await(let c of ak(n))i.update(c),a+=c.byteLength,await r($s(s,c));await r(ik(s,{key:t,contentType:o,
size:a,sha256:i.digest("hex")}))}finally{await r(s.close())}}async function ik(e,t){let n=Ru(t);await $s(e,n),await e.sync();let{size:o}=await e.stat();if(o!==t.size+n.byteLength)throw new RangeError(
`${o} bytes were written of ${t.size+n.byteLength}`)}async function*ak(e){for await(let t of e instanceof Uint8Array?[e]:e){if(!(t instanceof Uint8Array))throw new TypeError("The body of a file must b\
e a stream of Uint8Array.");for(let n=0;n<t.byteLength;n+=32768)yield t.subarray(n,n+32768)}}var lk={folder:B("the path of a folder",e=>e!==""&&!e.includes("\0")),fetch:R($n,Ls)};function Ds(e){let{folder:t,fetch:n}=$("diskFiles",e,lk),o=uk(t),r=u=>kn(o,u),s=-1/0,i=u=>Bs(o,Fs(u));async function a(u){
await wn(o),jo(u)!==o&&await wn(jo(u)),!(Date.now()-s<Is)&&(s=Date.now(),await bu(o))}async function c(u,l){await dk(u,l),await Io(jo(l))}async function d(u){await Pu(u,{force:!0}),await Io(jo(u)).catch(
Cu)}return{fetch:n,ready:()=>Su(o),async put(u,l,p){let f=Bs(o,$o()),m=i(u);try{await r(a(m)),await Tu(f,{key:u,body:l,contentType:p},r),await r(c(f,m))}catch(y){throw await Pu(f,{force:!0}).catch(()=>{}),
l instanceof Uint8Array||await l.cancel(y).catch(()=>{}),y}},async open(u){let l=i(u),p=await r(Uo(l));if(!p)return;let{handle:f,record:m}=p;await f.close();let{size:y,contentType:h,sha256:b}=m;return{
size:y,contentType:h,sha256:b,read:(w={start:0,end:y-1})=>wu(Au(l,m,w))}},async delete(u){await r(d(i(u)))},async*list(u){let l=u.slice(0,u.indexOf("/"));for(let p of await r(pk(Bs(o,l)))){let f=`${l}\
/${p}`;f.startsWith(u)&&Fs(f)===f&&(yield f)}}}}async function pk(e){return await ck(e).catch(Cu)??[]}function Cu(e){if(e.code!=="ENOENT")throw e}var fk=/^bearer +([\w.~+/-]+=*) *$/i;function _u(e){let t=e===void 0?void 0:fk.exec(e)?.[1];return t!==void 0?t.length>4096?"malformed":{token:t}:e===void 0||!/^bearer +\S/i.test(e)?"missing":"malform\
ed"}function Mu(e){return typeof e=="string"&&e.length<=4096&&/^[\w.~+/-]+=*$/.test(e)}var mk=new TextEncoder,yk=Ju(64,e=>Math.cbrt(e)),hk=Ju(8,e=>Math.sqrt(e)),Ct=new Int32Array(64),X=new Int32Array(8),gk=new Uint16Array(X.buffer);function et(e){let t=bk(e);X.set(hk);for(let n=0;n<t.byteLength;n+=
64)wk(t,n);return String.fromCharCode.apply(void 0,gk)}function bk(e){let t=mk.encode(e),n=new Uint8Array(Math.ceil((t.length+9)/64)*64);n.set(t),n[t.length]=128;let o=new DataView(n.buffer);return o.
setUint32(n.length-8,Math.floor(t.length/2**29)),o.setUint32(n.length-4,t.length*8),o}function wk(e,t){for(let u=0;u<16;u++)Ct[u]=e.getInt32(t+4*u);for(let u=16;u<64;u++){let l=Ct[u-15],p=Ct[u-2],f=Fe(
l,7)^Fe(l,18)^l>>>3,m=Fe(p,17)^Fe(p,19)^p>>>10;Ct[u]=(Ct[u-16]+f|0)+(Ct[u-7]+m|0)|0}let n=X[0],o=X[1],r=X[2],s=X[3],i=X[4],a=X[5],c=X[6],d=X[7];for(let u=0;u<64;u++){let l=Fe(i,6)^Fe(i,11)^Fe(i,25),p=(i&
a^~i&c)+d|0,f=(l+p|0)+(yk[u]+Ct[u]|0)|0,y=(Fe(n,2)^Fe(n,13)^Fe(n,22))+(n&o^n&r^o&r)|0;d=c,c=a,a=i,i=s+f|0,s=r,r=o,o=n,n=f+y|0}X[0]+=n,X[1]+=o,X[2]+=r,X[3]+=s,X[4]+=i,X[5]+=a,X[6]+=c,X[7]+=d}function Fe(e,t){
return e>>>t|e<<32-t}function Ju(e,t){let n=new Int32Array(e),o=0;for(let r=2;o<e;r++)kk(r)&&(n[o++]=t(r)%1*2**32);return n}function kk(e){for(let t=2;t*t<=e;t++)if(e%t===0)return!1;return!0}function Xt(e){pe("apiKeys: the keys",e," such as { alice: key }");let t=new Map,n=new Set,o=0;for(let[i,a]of Object.entries(e)){let c=Array.isArray(a)?a:[a];if(i===""||c.length===0)throw new TypeError(
`apiKeys: each owner must have a name and at least one key; owner "${i}" has not.`);for(let d of c){if(d===void 0||d==="")throw new TypeError(`apiKeys: the key of "${i}" is missing (${d===""?"empty":"\
undefined"}).`);if(!Mu(d))throw new TypeError(`apiKeys: each key of "${i}" must be 1 to 4096 of the characters A-Z a-z 0-9 - . _ ~ + / (and = at its end).`);let u=et(d);if(t.has(u))throw new TypeError(
`apiKeys: a key of "${i}" is given twice.`);let l=xk(u);t.set(u,{owner:i,keyId:l}),n.add(l),o=Math.max(o,d.length)}}if(t.size===0)throw new TypeError("apiKeys: at least one owner with a key is needed.");
let r=new Map;return Object.assign(i=>{let a=r.get(i);if(a||i.length>o)return a;let c=t.get(et(i));return c&&r.set(i,c),c},{isKeyValid:i=>n.has(i)})}function xk(e){return Array.from({length:4},(t,n)=>e.
charCodeAt(n).toString(16).padStart(4,"0")).join("")}function _t(e,t){return e>1e3&&t<e*32}var Lu=6e4;async function Nu(e,t,n){let o=e.getReader(),r=await o.read(),s=()=>{};return new ReadableStream({start:a,async pull(c){s();let{done:d,value:u}=r??await o.read().catch(i);if(r=void 0,!d)return c.
enqueue(u),a(c);n(),c.close()},cancel(c){return s(),n(),o.cancel(c)}},{highWaterMark:0});function i(c){throw n(),c}function a(c){s=t.after(Lu,()=>{let d=new v("request_timeout",`The client has read no\
thing for ${Lu} ms.`);n(),c.error(d),o.cancel(d).catch(()=>{})})}}function Iu({credentials:e="bearer",authenticate:t}){if(e!=="any")return{credentials:e,authenticate:t};let n=t;return{credentials:e,authenticate:(o,{fromHost:r})=>n({...r,token:o})}}function Ws(){return`req_${crypto.randomUUID()}`}var vk={missing_api_key:"Bearer",invalid_api_key:'Bearer error="invalid_token"'};function Be(e,t={},n=he[e.code].status){let{code:o}=e,r=e.message.toWellFormed(),
s=e.param===void 0?null:String(e.param).toWellFormed(),{type:i,retryAfterSeconds:a}=he[o],c=Ws();t["x-request-id"]=c,t["content-type"]="application/json",a!==void 0&&(t["retry-after"]=String(a));let d=vk[o];
d!==void 0&&(t["www-authenticate"]=d);let u=JSON.stringify({error:{message:r,type:i,param:s,code:o,request_id:c}});return{status:n,headers:t,body:u}}function $u({countRequest:e},t){return e?n=>async o=>{let r=await e(o.owner);return r?r.isExceeded?Sk(r):n(o).then(s=>qs(s,r),s=>qs(t(s),r)):n(o)}:n=>n}function Sk(e){let{limit:t,moreInSeconds:n}=e,o=`\
You may send ${t} requests per minute. Try again in ${n} s.`,r=Be(new v("rate_limit_exceeded",o));return r.headers["retry-after"]=String(n),qs(r,e)}function qs(e,{limit:t,remaining:n,moreInSeconds:o}){
return e.status>=300&&e.status<400||(e.headers.ratelimit=`"requests";r=${n};t=${o}`,e.headers["ratelimit-policy"]=`"requests";q=${t};w=60`),e}var Ek="7200",Rk=["accept-ranges","allow","content-disposition","content-range","etag","idempotency-replayed","location","preference-applied","ratelimit","ratelimit-policy","retry-after","www-authenti\
cate","x-request-id"];function ju({origins:e,exposedHeaders:t=[]},n){let o=[...Rk,...t].join(", ");return{preflight(r){if(!(r.method==="OPTIONS"&&r.path!==void 0&&r.header("origin")!==void 0&&r.header(
"access-control-request-method")!==void 0))return;let i={status:204,headers:{}};if(!Uu(e,r.header("origin")))return i;i.headers["access-control-allow-methods"]="GET, HEAD, POST, DELETE",i.headers["acc\
ess-control-max-age"]=Ek;let a=r.header("access-control-request-headers")??"";return/^[\w!#$%&'*+.^`|~, -]+$/.test(a)&&(i.headers["access-control-allow-headers"]=a),i},mark(r,s){let{headers:i}=s,a=r.header(
"origin");return e!=="*"&&(i.vary="Origin"),Uu(e,a)&&(i["access-control-allow-origin"]=e==="*"?e:a,n&&(i["access-control-allow-credentials"]="true"),i["access-control-expose-headers"]=o),s}}}function Uu(e,t){
return e==="*"||t!==void 0&&e.includes(t)}var Fu=/^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i,Ok=/^(?:\/[\w.~-]+)+$/;function Zt(e,{baseUrl:t,trustProxy:n}){if(t!==void 0)return t;let o=n?Ak(e):void 0,r=o?.host??e.header("host");if(r===void 0||
!Fu.test(r))throw new v("invalid_request","The Host header must name one host.",{param:"Host"});return`${o?.scheme??e.scheme}://${r}${o?.prefix??""}${e.mountPath}`}function Ak(e){let t=(n,o)=>{let r=e.
header(n)?.split(",",1)[0]?.trim().replace(/\/$/,"");return r!==void 0&&o.test(r)?r:void 0};return{scheme:t("x-forwarded-proto",/^https?$/i)?.toLowerCase(),host:t("x-forwarded-host",Fu),prefix:t("x-fo\
rwarded-prefix",Ok)}}var Tk=new Set(["GET","HEAD","OPTIONS"]);function Bu(e,t){if(Tk.has(e.method))return;let n=e.header("sec-fetch-site");if(n==="same-origin"||n==="none")return;let o=e.header("origin");if(o===void 0&&n===
void 0||o!==void 0&&t.cors?.origins.includes(o)||o!==void 0&&n===void 0&&Pk(o,Zt(e,t)))return;let r="A page of this origin may not do that. The app can list the origin in its option cors.";throw new v(
"origin_not_allowed",r,{param:"Origin"})}function Pk(e,t){return URL.parse(e)?.host===URL.parse(t)?.host}function qu({options:e},t){let n=e.credentials==="bearer";return async({request:o,path:r,route:s,params:i})=>{n||Bu(o,e);let a=_u(o.header("authorization"));if(a==="malformed")throw Du();let c=a==="mi\
ssing"?void 0:a.token;if(c===void 0&&n)throw Wu("Send");let d=await e.authenticate(c,o);if(!d)throw c===void 0?Wu("Sign in, or send"):Du();let{owner:u}=d;if(typeof u!="string"||u==="")throw new Error(
"authenticate gave no owner.");let l=e.isKeyValid&&Ck(d.keyId);return t({request:o,path:r,route:s,params:i,owner:u,keyId:l,baseUrl:Zt(o,e)})}}function Ck(e){if(typeof e=="string"&&e.length>0&&e.length<=
256)return e;throw new Error("authenticate must give a keyId of 1 to 256 characters, because the option isKeyValid is set.")}function Du(){return new v("invalid_api_key","This API key is not valid.")}
function Wu(e){return new v("missing_api_key",`${e} your API key as "Authorization: Bearer <API_KEY>".`)}function Fo(e,t){let n=$e(e,t),o=Math.max(t,e/2),r=new Map,s=()=>Gu("Too many of your request bodies are being received. Try again.");function i(a,c){let d=(r.get(a)??0)+c;d===0?r.delete(a):r.set(a,d)}
return a=>({begin(c){if((r.get(a)??0)+c>o)throw s();return i(a,c),()=>i(a,-c)},take(c){if(!n.fits(c))throw Gu("Too many request bodies are being received. Try again.");if(!n.mayHave(a,c))throw s();n.add(
a,c)},giveBack:c=>n.add(a,-c)})}function Gu(e){return new v("capacity_exceeded",e)}function Hu(e,t){let n=0,o=new Map;return{take(r){let s=o.get(r)??0;if(n>=e||s>=t)throw new v("capacity_exceeded","Too many files are being downloaded. Try again.");let i=!0;return n++,o.set(r,s+1),()=>{
if(!i)return;i=!1,n--;let a=(o.get(r)??0)-1;a>0?o.set(r,a):o.delete(r)}}}}function Vu(e,t,n){let{id:o,price:r,typicalMs:s}=e;return{id:o,object:"model",created:0,owned_by:"system",output_kind:e.outputKind,input_schema:t??null,price:r?{text:r.text,per:r.per??null,usd:r.usd??
null,usd_by:r.usdBy??null}:null,retention_days:e.retentionDays??n,typical_seconds:s===void 0?null:s/1e3}}function Ku({input:e}){let t=e["~standard"];try{let n=t.jsonSchema?.input({target:"draft-2020-12"});return n===void 0?void 0:JSON.parse(JSON.stringify(n))}catch{return}}function zu({models:e,retentionDays:t}){let n;return()=>(n??=new Map(e.map(o=>[o.id,Vu(o,Ku(o),t)])),n)}function en(e){return ve(e).replace(/[+/=]/g,t=>({"+":"-","/":"_"})[t]??"")}function Bo(e){if(!/^[\w-]+$/.test(e)||e.length%4===1)return;let t=Ye(e.replaceAll("-","+").replaceAll("_","/"));return t&&en(
t)===e?t:void 0}var _k=4096,Yu=new TextEncoder;function Qu(e){let t=typeof e=="string"?Yu.encode(e):e&&new Uint8Array(e),n;async function o(){t??=crypto.getRandomValues(new Uint8Array(32));let r=await crypto.subtle.digest(
"SHA-256",t),s={name:"HMAC",hash:"SHA-256"};return n??={sealing:await crypto.subtle.importKey("raw",r,"AES-GCM",!1,["encrypt","decrypt"]),naming:await crypto.subtle.importKey("raw",t,s,!1,["sign"])}}return{
async sign({fileKey:r,expiresAt:s,name:i,owner:a,keyId:c}){let{sealing:d,naming:u}=n??await o(),l=Yu.encode(JSON.stringify([r,s,i,a,c])),p=(await crypto.subtle.sign("HMAC",u,l)).slice(0,12),f=await crypto.
subtle.encrypt({name:"AES-GCM",iv:p},d,l);return`${en(new Uint8Array(p))}.${en(new Uint8Array(f))}`},async verify(r,s){if(r.length>_k)return;let[i,a,...c]=r.split(".").map(Bo);if(!i||!a||c.length>0)return;
let{sealing:d}=n??await o(),l=await crypto.subtle.decrypt({name:"AES-GCM",iv:i},d,a).catch(()=>{});if(!l)return;let[p,f,m,y,h]=JSON.parse(new TextDecoder().decode(l));return s<f?{fileKey:p,expiresAt:f,
name:m,owner:y,keyId:h??void 0}:void 0}}}function Xu(e,t){let n=De(e),[o,r]=n==="processing"?[0,0]:[e.costUsd,e.inferenceMs];return{id:e.id,object:"generation",model:e.model,output_kind:e.outputKind,status:n,created_at:Gs(e.createdAt),started_at:e.
startedAt===void 0?null:Gs(e.startedAt),completed_at:e.completedAt===void 0?null:Gs(e.completedAt),expires_at:Jk(e.expiresAt),retention_days:e.retentionDays,error:e.error?`${e.error.code}: ${e.error.message}`:
null,cost_usd:o,input:e.input,timings:{inference_ms:r},urls:{get:Hs(e,t)},data:e.phase==="completed"?e.outputs.map((s,i)=>({url:Mk(e,i,t)})):[],...e.metadata&&{metadata:e.metadata}}}function De({phase:e}){
return e==="completed"||e==="failed"?e:"processing"}function Hs(e,t){return`${t}/v1/jobs/${e.id}`}function Mk(e,t,n){return`${n}/v1/files/${e.id}${t===0?"":`?n=${t}`}`}var Gs=Zu(),Jk=Zu();function Zu(){
let e={at:0,text:new Date(0).toISOString()};return t=>(t!==e.at&&(e={at:t,text:new Date(t).toISOString()}),e.text)}var Lk="3",el=new WeakMap;function Mt(e,t,n,o={}){return o["content-type"]="application/json",De(e)==="processing"&&(o["retry-after"]=Lk),{status:t,headers:o,body:pt(e,n)}}function pt(e,t){let n=el.get(
e);if(n?.baseUrl===t)return n.text;let o=JSON.stringify(Xu(e,t));return C(e)&&el.set(e,{baseUrl:t,text:o}),o}function Re({params:e}){let{id:t}=e;if(t!==void 0&&/^[\w-]{1,64}$/.test(t))return t;throw new v("job_not_found","There is no such job, or it has expired.")}function tl({service:e}){return async t=>{let n=await e.cancel(Re(t),t.owner);return Mt(n,C(n)?200:202,t.baseUrl)}}var Sn=64,Vs=100;function Do(){return new v("invalid_request",`The request body may be nested at most ${Sn} levels deep.`)}function En(e){return new v("invalid_request",`The request body may have at m\
ost ${e} keys and values.`)}function nl(e){return new v("invalid_request",`The request body may have at most ${e*Vs} bytes outside of its strings.`)}function ol(){return new v("invalid_request","The r\
equest body may name its model once.",{param:"model"})}var Ks=34,zs=92,Ys=30,Nk=64;function sl(e){let t=0,n=1,o=0,r=0,s=!1,i=!1,a="",c=!1,d=!1,u=0;function l(h){u+=h.length;let b=0;for(s&&(b=f(h,0)+1);b<h.length&&!d;b++)switch(h[b]){case Ks:if(++o>e)throw En(
e);s=!0,a="",b=f(h,b+1);break;case 91:case 123:if(++t>Sn)throw Do();p();break;case 93:case 125:--t<0&&(d=!0);break;case 58:if(t===1&&c&&++r>1)throw ol();p();break;case 44:p()}if(u>e*Vs)throw nl(e)}function p(){
if(++n>e)throw En(e)}function f(h,b){let g=m(h,b);u-=g-b;let w=a.length+g-b;return s?a=w>Ys?a.padEnd(Ys+1):a+rl(h,b,g):c=w>=5&&w<=Ys&&Ik(a+rl(h,b,g)),g}function m(h,b){let g=Math.min(b+Nk,h.length),w=y(
h,b,g);if(s&&!i&&w<h.length){let x=h.indexOf(Ks,w);if(x<0&&!h.includes(zs,w))return h.length;x>=0&&h[x-1]!==zs&&(w=x)}return s?y(h,w,h.length):w}function y(h,b,g){for(let w=b;w<g;w++){let x=h[w];if(i)
i=!1;else if(x===zs)i=!0;else if(x===Ks)return s=!1,w}return g}return h=>{d||l(h)}}function rl(e,t,n){let o="";for(let r=t;r<n;r++)o+=String.fromCharCode(e[r]);return o}function Ik(e){if(!e.includes("\
\\"))return e==="model";try{return JSON.parse(`"${e}"`)==="model"}catch{return!1}}function il(e,t){let n=0;function o(r,s){if(++n>t)throw En(t);if(r===1/0||r===-1/0)throw new v("invalid_request","The request body has a number that is too large.");if(typeof r!="object"||r===null)return;
if(s>Sn)throw Do();if(Object.hasOwn(r,"__proto__"))throw new v("invalid_request","The request body may not have a field named __proto__.",{param:"__proto__"});if(Array.isArray(r)){for(let a of r)o(a,s+
1);return}let i=Object.values(r);n+=i.length;for(let a of i)o(a,s+1)}o(e,1)}function Rn(e){try{let t=e.read();return"then"in t?t.catch(al):t}catch{return al()}}function al(){throw new v("invalid_request","The request body broke off.")}function Wo(){return new v("invalid_reque\
st","The request body comes in pieces that are too small.")}var $k=1e4,Uk=1e3;async function qo(e,t,n,o){let{maxBodyBytes:r,bodyTimeoutMs:s,budget:i,check:a,expectedBytes:c}=t,d=0,u=()=>{},l=an({expectedBytes:c??r,onGrow(g){i.take(g),d+=g}}),p=!1,f=0;function m({
done:g,value:w}){if(g||p)return!1;if(f++,w===void 0)return!0;if(l.size+w.length>r)throw dl(r);if(a?.(w),l.add(w),_t(e.pieces?.()??f,l.size))throw Wo();return!0}function y(){for(;;){let g=Rn(e);if(g instanceof
Promise)return g;if(!m(g))return}}async function h(g){for(let w=await g;m(w);)w=await Rn(e)}let b=()=>{};try{try{c!==void 0&&(u=i.begin(c));let g=y();if(g){let w=jk(n,s,l);b=w.end,await Promise.race([
h(g),w.tooSlow])}}catch(g){throw l.drop(),g}finally{p=!0,b(),e.cancel()}return await o(l.whole())}finally{i.giveBack(d),u()}}function tn(e,t){let n=Number(e.header("content-length")??Number.NaN);if(n>
t)throw dl(t);return n>=0?n:void 0}function jk(e,t,n){let o=t,r=0,s=()=>{};return{tooSlow:new Promise((a,c)=>{let d=()=>{let l=Math.min($k,o);o-=l,s=e.after(l,u)},u=()=>{let l=n.size-r;r=n.size,o===0?
c(cl(`The request body did not arrive within ${t} ms.`)):l<Uk?c(cl("The request body arrives too slowly.")):d()};d()}),end:()=>s()}}function dl(e){return new v("request_too_large",`The request body ma\
y have at most ${e} bytes.`)}function cl(e){return new v("request_timeout",e)}function ll({request:e,owner:t},{service:n,options:o,bodiesOf:r},s){Wk(e);let{maxBodyBytes:i,bodyTimeoutMs:a,maxJsonValues:c}=o,d=tn(e,i),u=e.body(),l=m=>(il(m,c),m);if("value"in u)return s(l(u.value));
let p=sl(c),f={maxBodyBytes:i,bodyTimeoutMs:a,budget:r(t),expectedBytes:d,check:p};return qo(u,f,n.clock,m=>s(l(Dk(Bk(m)))))}var Fk=new TextDecoder("utf-8",{fatal:!0});function Bk(e){try{return Fk.decode(
e)}catch{throw new v("invalid_json","The request body is not valid UTF-8.")}}function Dk(e){if(e==="")throw new v("invalid_json","The request body is empty; it must be a JSON object.");try{return JSON.
parse(e)}catch{throw new v("invalid_json","The request body is not valid JSON.")}}function Wk(e){let t=e.header("content-type")??"",n=/;[ \t]*charset[ \t]*=[ \t]*"?([^\s;"]*)/i.exec(t)?.[1];if(!/^application\/json[ \t]*(?:;|$)/i.
test(t)||(n??"utf-8").toLowerCase()!=="utf-8")throw ul("The request body must be application/json in UTF-8.","Content-Type");let o=e.header("content-encoding");if(o&&o.toLowerCase()!=="identity")throw ul(
"The request body may not be compressed.","Content-Encoding")}function ul(e,t){return new v("unsupported_media_type",e,{param:t})}function pl(e){if(typeof e!="object"||e===null||Array.isArray(e))throw new v("invalid_request","The request body must be a JSON object.");let{model:t}=e;if(typeof t=="string")return e;throw t===void 0?
new v("missing_field","model is missing. It must name the model that makes the job.",{param:"model"}):new v("invalid_request","model must be a string.",{param:"model"})}import*as Oe from"valibot";var Qs="Idempotency-Key must be 1 to 255 printable ASCII characters, bare or in double quotes.",qk=Oe.pipe(Oe.string(),Oe.regex(/^(?:[\x21\x23-\x7e][\x20-\x7e]*|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+")$/,
Qs),Oe.transform(e=>e.startsWith('"')?e.slice(1,-1).replace(/\\(.)/g,"$1"):e),Oe.maxLength(255,Qs));function fl(e){if(e===void 0)return;let t=Oe.safeParse(qk,e);if(t.success)return t.output;throw new v(
"invalid_request",Qs,{param:"Idempotency-Key"})}var Gk=/(?:^|,)[ \t]*wait[ \t]*=[ \t]*(?:(\d+)|"(\d+)")[ \t]*(?=[,;]|$)/i;function ml(e){let t=e===void 0?null:Gk.exec(e);return t?Number(t[1]??t[2]):void 0}import*as se from"valibot";var Hk=se.optional(se.picklist(["true","false"],"wait must be true or false.")),Vk=se.pipe(se.optional(se.string(),"0"),se.regex(/^-?\d+$/,"n must be an integer."),se.transform(
Number)),yl=e=>gl(e,"wait",Hk),hl=e=>gl(e,"n",Vk);function gl({request:{path:e=""}},t,n){let o=e.indexOf("?"),r=o<0?[]:new URLSearchParams(e.slice(o)).getAll(t);if(r.length>1)throw new v("invalid_requ\
est",`${t} may be given once.`,{param:t});let s=se.safeParse(n,r[0]);if(s.success)return s.output;throw new v("invalid_request",s.issues[0].message,{param:t})}function bl(e){let{webhook_url:t,webhook_events:n,...o}=e;return{input:o,webhook:{url:t,events:n}}}function Go(e,t){let{service:n}=e;return async o=>{let{request:r,owner:s,baseUrl:i,route:a}=o,c=Kk(o),d=fl(r.header("idempotency-key")),{job:u,replayed:l}=await ll(o,e,m=>{let{model:y,metadata:h,...b}=pl(
m);return n.create({owner:s,model:y,metadata:h,...n.hasWebhooks?bl(b):{input:b},...t&&{outputKind:t},...d!==void 0&&{idempotency:{key:d,scope:a}}})}),p={location:Hs(u,i)};if(l&&(p["idempotency-replaye\
d"]="true"),!c.isWanted)return Mt(u,202,i,p);if(c.seconds!==void 0){let m=Math.min(c.seconds,Math.floor(n.waitBudgetMs/1e3));p["preference-applied"]=`wait=${m}`}let f=m=>Mt(m,De(m)==="processing"?202:
200,i,p);return n.waitFor(u.id,s,zk(o,c)).then(f,m=>(n.log.error(`Waiting for job ${u.id} failed.`,{job:u.id,cause:m}),f(u)))}}function Kk(e){let t=yl(e);if(t==="false")return{isWanted:!1};let n=ml(e.
request.header("prefer"));return n===void 0?{isWanted:t==="true"}:{isWanted:!0,seconds:n}}function zk({request:e},{seconds:t}){return{...t!==void 0&&{budgetMs:t*1e3},...e.onLeave&&{onLeave:e.onLeave}}}var Yk=64*1024;function wl(e,t,n){let o=0,r=0,s=0,i=()=>{};function a(){i(),e.cancel()}function c(u){let l=n.uptime(),p=t+Math.floor(r/Yk*1e3)-s;return new Promise((f,m)=>{let y=n.after(Math.max(0,p),
()=>m(new v("request_timeout","The request body arrives too slowly.")));i=()=>{y(),s+=n.uptime()-l,i=()=>{}},u.finally(()=>i()).then(f,m)})}async function d(){for(;;){let u=Rn(e),{done:l,value:p}=u instanceof
Promise?await c(u):u;if(l)return;if(o++,r+=p?.byteLength??0,_t(e.pieces?.()??o,r))throw Wo();if(p?.byteLength)return p}}return new ReadableStream({async pull(u){try{let l=await d();if(l)return u.enqueue(
l);a(),u.close()}catch(l){a(),u.error(l)}},cancel:a},{highWaterMark:0})}function Ae(e){return{status:200,headers:{"content-type":"application/json"},body:e}}function kl({id:e,url:t,contentType:n,bytes:o,sha256:r,createdAt:s,expiresAt:i}){return{id:e,object:"upload",url:t,content_type:n,bytes:o,sha256:r??null,created_at:new Date(s).toISOString(),expires_at:new Date(
i).toISOString()}}function xl({service:e,options:t},n){return async({request:o,owner:r})=>{let s=Qk(o,n.maxBytes),i=wl(s,t.bodyTimeoutMs,e.clock),a=await n.store(r,i);return{...Ae(JSON.stringify(kl(a))),status:201}}}function Qk(e,t){
if(/^multipart\//i.test(e.header("content-type")??""))throw Xs("Send the bytes of the file as the body, not a form.","Content-Type");let n=e.header("content-encoding");if(n&&n.toLowerCase()!=="identit\
y")throw Xs("The request body may not be compressed.","Content-Encoding");tn(e,t);let o=e.body();if("value"in o)throw Xs("The app has read this body before it could be stored. Send it with the content\
 type of the file, such as image/png.","Content-Type");return o}function Xs(e,t){return new v("unsupported_media_type",e,{param:t})}function vl({service:e}){return async t=>(await e.delete(Re(t),t.owner),{status:204,headers:{}})}var Sl=`retry: 3000

`,El=`: still here

`;function On(e){let{startedAt:t=0,completedAt:n=0}=e;return`${De(e)}-${t}-${n}`}function Rl(e,t){return`event: ${De(e)==="processing"?"state":"done"}
id: ${On(e)}
data: ${t}

`}function Ol({progress:e,queuePosition:t}){if(e===void 0&&t===void 0)return"";let n=e===void 0?void 0:Math.round(e*1e3)/1e3;return`event: progress
data: ${JSON.stringify({progress:n,queue_position:t})}

`}function Al({contentType:e,bytes:t}){return`event: preview
data: data:${e};base64,${ve(t)}

`}var Xk=12e3,Ho=class{endWatch;#p;#n;#o;#t;#r;#e;#i="";#a=!1;#s=!1;#c;#f=0;constructor(t,n,o){this.#p=t,this.#n=n,this.#o=o}get hasNothingToTell(){return this.#s&&this.#t===void 0}onChange(t){let n=On(
t);n!==this.#o&&(this.#o=n,this.#t=t,this.#d())}onNews(t){(t.progress!==void 0||t.queuePosition!==void 0)&&(this.#r=t),this.#e=t.preview??this.#e,this.#d()}onLook(){this.#p.uptime()-this.#f>=Xk&&this.#u(
El)}onEnd(){this.#s=!0,this.#d()}next(){let t=this.#l();return this.#f=this.#p.uptime(),t!==""||this.#s?Promise.resolve(t===""?void 0:t):new Promise(n=>{this.#c=n})}cancel(){this.endWatch?.(),this.#a=
!0,this.#t=this.#r=this.#e=void 0,this.onEnd()}#d(){if(!this.#c)return;let t=this.#l();(t!==""||this.#s)&&this.#u(t)}#u(t){let n=this.#c;this.#c=void 0,n?.(t===""?void 0:t)}#l(){let[t,n,o]=[this.#t,this.#r,
this.#e],r=this.#a?"":Sl;if(this.#a=!0,this.#t=this.#r=this.#e=void 0,t&&(r+=Rl(t,pt(t,this.#n))),t&&C(t))return r;let s=n?Ol(n):"";return s!==this.#i&&(r+=s),s!==""&&(this.#i=s),o?r+Al(o):r}};function Pl({service:e}){return async t=>{let{request:n,owner:o,baseUrl:r}=t,s=Re(t),i=n.header("last-event-id");if(n.method==="HEAD"){let c=await e.get(s,o);return C(c)&&On(c)===i?{status:204,headers:{}}:
Tl()}let a=new Ho(e.clock,r,i);return a.endWatch=await e.watch(s,o,a),a.hasNothingToTell?{status:204,headers:{}}:(n.onLeave?.(()=>a.cancel()),Tl(a))}}function Tl(e){let t={"content-type":"text/event-s\
tream","cache-control":"no-store, no-transform","x-accel-buffering":"no"};return e===void 0?{status:200,headers:t}:{status:200,headers:t,body:e}}function Cl(e){return async({owner:t,params:n})=>(await e.delete(n.id??"",t),{status:204,headers:{}})}var Zk=3600*1e3,ex=900*1e3;function _l({service:e},t){let{files:n,clock:o}=e;return async s=>{let i=hl(s),a=await e.get(Re(s),s.owner);return{status:302,headers:{location:await r(tx(a,i),a,i,s)}}};async function r({
fileKey:s,url:i},a,c,{owner:d,keyId:u,baseUrl:l}){let p=o.now()+Zk;if(s===void 0)return mn(i??"")??nx(a);if(!n.link){let f=Math.min(p-p%ex,a.expiresAt),m={fileKey:s,expiresAt:f,name:`${a.id}-${c}`,owner:et(
d),keyId:u};return`${l}/v1/outputs/${await t.sign(m)}`}try{return new URL(await n.link(s,Math.min(p,a.expiresAt))).href}catch(f){throw ze(f)}}}function tx(e,t){if(De(e)==="processing")throw new v("fil\
e_not_ready","The job is not finished, so its files are not ready yet.");return(e.phase==="completed"?e.outputs[t]:void 0)??Ml()}function nx({dueAt:e}){throw e===void 0&&Ml(),new v("file_not_ready","T\
he file is being copied to the file store. Try again in a moment.")}function Ml(){throw new v("file_not_found","The job has no such file.")}function Jl(e,t){let n=e===void 0?null:/^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(e);if(!n)return;let[,o="",r=""]=n;if(o===""&&r===""||o!==""&&r!==""&&Number(r)<Number(o))return;let s=o===""?Math.max(0,t-
Number(r)):Number(o),i=o===""||r===""?t-1:Math.min(Number(r),t-1);return s<t?{start:s,end:i}:"unsatisfiable"}function Ll({sha256:e}){return e===void 0?void 0:`"${e}"`}function Nl(e,t=""){return t==="*"||t.includes(e)}function Il(e,t){return e===void 0||e===t}var $l="sandbox; default-src 'none'",ox=`${$l}; style-src 'unsafe-inline'; img-src data:; font-src data:`;function Ul(e,t){let n=gs(e,t);return{"content-type":n.contentType,"accept-ranges":"bytes","x-\
content-type-options":"nosniff","content-disposition":n.contentDisposition,...!n.isShown&&{"content-security-policy":n.contentType==="image/svg+xml"?ox:$l}}}async function Vo(e,{owner:t,name:n,headers:o,open:r},{clock:s,downloads:i}){let a=i.take(t);try{let c=await r().catch(jl);if(!c)throw new v("file_not_found",An);let d=l=>Nu(c.read(l),s,a).catch(jl),u=await rx(
c,o,Ul(n,c.contentType),e,d);return u.body instanceof ReadableStream||a(),u}catch(c){throw a(),c}}var An="There is no such file, or the link to it has expired.";async function rx(e,t,n,{request:o},r){
let{size:s}=e,i=Ll(e),a={...t,...n,"content-length":String(s)};if(i!==void 0&&(a.etag=i,Nl(i,o.header("if-none-match"))))return{status:304,headers:{...t,etag:i,"content-length":String(s)}};if(o.method===
"HEAD")return{status:200,headers:a};let c=Il(o.header("if-range"),i)?Jl(o.header("range"),s):void 0;if(c===void 0)return{status:200,headers:a,body:await r()};if(c==="unsatisfiable"){let d=new v("range\
_not_satisfiable",`The file has ${s} bytes.`,{param:"Range"});return Be(d,{"content-range":`bytes */${s}`})}return a["content-length"]=String(c.end-c.start+1),a["content-range"]=`bytes ${c.start}-${c.
end}/${s}`,{status:206,headers:a,body:await r(c)}}function jl(e){throw ze(e)}function Fl({service:e,downloads:t},n){let{clock:o}=e;return async r=>{let{job:s="",token:i="",name:a=""}=r.params,d=/^[\w-]{1,64}$/.test(s)&&/^\w{64}$/.test(i)?await n.openInput(s,i,a):void 0;if(!d)throw new v(
"file_not_found",An);let{owner:u,file:l}=d,p={owner:et(u),name:a.replace(/\..*/,""),headers:{},open:async()=>l};return Vo(r,p,{clock:o,downloads:t})}}function Bl({service:e}){return async t=>Mt(await e.get(Re(t),t.owner),200,t.baseUrl)}function Dl({models:e}){return async({params:t})=>{let n=e().get(sx(t.id??"")??"");return n?Ae(JSON.stringify(n)):Be(new v("model_not_found","There is no such model."),{},404)}}function sx(e){try{return decodeURIComponent(
e.replace(/\/$/,""))}catch{return}}var be={type:"string"},Ko={type:"number"},Tn={type:"integer"},nn={type:"string",format:"date-time"},Wl={type:"string",enum:["image","video"]};function ae(e,t={}){return{type:"object",properties:{...e,
...t},required:Object.keys(e),additionalProperties:!1}}var Zs={type:"object",additionalProperties:{type:"string",maxLength:512},maxProperties:16},ql={type:"string",enum:["job.completed","job.failed"]},
Gl={webhook_url:{type:"string",format:"uri",maxLength:2048},webhook_events:{type:"array",items:ql,minItems:1,uniqueItems:!0}};function ie(e){return{...e,type:[e.type,"null"]}}var ix=ae({id:be,object:{
type:"string",enum:["generation"]},model:be,output_kind:Wl,status:{type:"string",enum:["processing","completed","failed"]},created_at:nn,started_at:ie(nn),completed_at:ie(nn),expires_at:nn,retention_days:Tn,
error:ie(be),cost_usd:Ko,input:{type:"object",additionalProperties:!0},timings:ae({inference_ms:Tn}),urls:ae({get:{type:"string",format:"uri"}}),data:{type:"array",items:ae({url:{type:"string",format:"\
uri"}})}},{metadata:Zs}),ax=ae({object:{type:"string",enum:["list"]},data:{type:"array",items:{$ref:"#/components/schemas/Job"}},has_more:{type:"boolean"},next_cursor:ie(be)}),cx=ae({id:be,object:{type:"\
string",enum:["model"]},created:Tn,owned_by:be,output_kind:Wl,input_schema:{type:["object","null"],additionalProperties:!0,description:"The JSON Schema of the body of a create, without `model`."},price:ie(
ae({text:be,per:ie(be),usd:ie(Ko),usd_by:ie(ae({field:be,usd:{type:"object",additionalProperties:Ko}}))})),retention_days:Tn,typical_seconds:ie(Ko)}),dx=ae({object:{type:"string",enum:["list"]},data:{
type:"array",items:{$ref:"#/components/schemas/Model"}}}),ux=ae({object:{type:"string",enum:["list"]},data:{type:"array",items:ae({object:{type:"string",enum:["delivery"]},event:ql,attempted_at:nn,status:{
type:"string",enum:["delivered","failed"]},response_status:ie(Tn),error:ie(be)})},next_attempt_at:ie(nn)}),lx=ae({error:ae({message:be,type:{type:"string",enum:[...new Set(Object.values(he).map(({type:e})=>e))]},
param:ie(be),code:{type:"string",enum:Object.keys(he)},request_id:be})}),Hl={Job:ix,JobList:ax,Model:cx,ModelList:dx,DeliveryList:ux,Error:lx};function Vl(e,t){let n={metadata:Zs,...t&&Gl},o=px(e),r=[["Create",o],["CreateImage",o.filter(({output_kind:s})=>s==="image")],["CreateVideo",o.filter(({output_kind:s})=>s==="video")]];return Object.fromEntries(
[...o.map(s=>[s.name,mx(s,n)]),...r.filter(([,s])=>s.length>0).map(([s,i])=>[s,fx(i)])])}function px(e){let t=new Set;return e.map(n=>{let o=`Create_${n.id.replaceAll(/[^\w.-]/g,"_")}`,r=o;for(let s=2;t.
has(r);s++)r=`${o}_${s}`;return t.add(r),{...n,name:r}})}function fx(e){return{oneOf:e.map(({name:t})=>({$ref:ti(t)})),discriminator:{propertyName:"model",mapping:Object.fromEntries(e.map(({id:t,name:n})=>[
t,ti(n)]))}}}function mx({id:e,name:t,input_schema:n},o){let{$schema:r,...s}=n??{},i={model:{type:"string",enum:[e]},...o};return Kl(ei(ti(t),s),i)}function Kl(e,t){let{properties:n={},required:o=[]}=e,
r={...e,type:"object"};for(let s of["oneOf","anyOf","allOf"]){let i=e[s];Array.isArray(i)&&(r[s]=i.map(a=>Kl(a,t)))}return{...r,properties:{...n,...t},required:["model",...o]}}function ei(e,t){return Array.
isArray(t)?t.map(n=>ei(e,n)):typeof t!="object"||t===null?t:Object.fromEntries(Object.entries(t).map(([n,o])=>[n,n==="$ref"&&typeof o=="string"&&o.startsWith("#")?e+o.slice(1):ei(e,o)]))}function ti(e){
return`#/components/schemas/${e}`}var zo=e=>({$ref:`#/components/headers/${e}`}),yx={"x-request-id":zo("x-request-id")},hx={"application/json":{schema:{$ref:"#/components/schemas/Error"}}},zl=Object.fromEntries(Object.values(he).map(({
status:e})=>{let t=Object.entries(he).filter(([,i])=>i.status===e),o=t.some(([,{retryAfterSeconds:i}])=>i!==void 0)&&{"retry-after":zo("retry-after")},r=e===429&&{ratelimit:zo("ratelimit"),"ratelimit-\
policy":zo("ratelimit-policy")},s=t.map(([i])=>`\`${i}\``).join(", ");return[`Error${e}`,{description:s,headers:{...yx,...o,...r},content:hx}]}));function ce(...e){let t=[...new Set(e.map(n=>he[n].status))];
return Object.fromEntries(t.map(n=>[n,{$ref:`#/components/responses/Error${n}`}]))}var we={type:"string"},Yl={type:"string",format:"date-time"};function We(e,t,n){return{name:e,in:"query",description:t,schema:n}}var Ql={"x-request-id":{description:"The id of the request, for questio\
ns about it.",schema:we},"retry-after":{description:"After how many seconds to ask again.",schema:{type:"integer"}},ratelimit:{description:"How many requests are left (`r`), and in how many seconds th\
ere will be more (`t`).",schema:we},"ratelimit-policy":{description:"How many requests (`q`) each owner may send in how many seconds (`w`).",schema:we},"idempotency-replayed":{description:"`true` when\
 the job was created by an earlier request with the same key.",schema:{type:"string",enum:["true"]}},"preference-applied":{description:"How long the request waits, such as `wait=20`.",schema:we},location:{
description:"The URL of the job or of the file.",schema:we}},Xl={jobId:{name:"id",in:"path",required:!0,description:"The id of the job.",schema:we},uploadId:{name:"id",in:"path",required:!0,description:"\
The id of the upload.",schema:we},modelId:{name:"id",in:"path",required:!0,description:"The id of the model, percent-encoded.",schema:we},n:We("n","Which output, as an index into `data`.",{type:"integ\
er",minimum:0,default:0}),limit:We("limit","How many jobs the page has at the most.",{type:"integer",minimum:1,maximum:100,default:20}),cursor:We("cursor","The `next_cursor` of the page before.",we),status:We(
"status","Only jobs with this status.",{type:"string",enum:["processing","completed","failed"]}),model:We("model","Only jobs of this model.",we),output_kind:We("output_kind","Only jobs that make this.",
{type:"string",enum:["image","video"]}),created_after:We("created_after","Only jobs that were created then or later.",Yl),created_before:We("created_before","Only jobs that were created earlier.",Yl),
metadata:{...We("metadata","Only jobs with these texts, such as `metadata[album]=7`.",{type:"object",additionalProperties:we}),style:"deepObject"},wait:We("wait","`true` waits until the job has finish\
ed, as long as the service allows.",{type:"string",enum:["true","false"],default:"false"}),prefer:{name:"prefer",in:"header",description:"`wait=N` waits N seconds at the most.",schema:we},"last-event-\
id":{name:"last-event-id",in:"header",description:"The id of the last event that the client has got.",schema:we},"idempotency-key":{name:"idempotency-key",in:"header",description:"A request that repea\
ts an earlier one with the same key creates no second job.",schema:{type:"string",minLength:1,maxLength:255}}};var ue=["invalid_request","missing_api_key","origin_not_allowed","rate_limit_exceeded","internal_error"],tt=e=>({[e]:{$ref:`#/components/headers/${e}`}}),on=e=>({$ref:`#/components/parameters/${e}`}),
Zl=e=>({$ref:`#/components/schemas/${e}`});function Le(e,t,...n){return{description:e,headers:Object.assign({},...["x-request-id",...n].map(tt)),content:{"application/json":{schema:Zl(t)}}}}function ni(e,t,n){
let o=["location","retry-after","idempotency-replayed","preference-applied"];return{post:{operationId:e,summary:t,parameters:["wait","prefer","idempotency-key"].map(on),requestBody:{required:!0,content:{
"application/json":{schema:Zl(n)}}},responses:{200:Le("The job has finished within the time that the request waits.","Job",...o),202:Le("The job is accepted and has not finished.","Job",...o),...ce(...ue,
"request_timeout","idempotency_in_progress","request_too_large","unsupported_media_type","idempotency_key_reused","store_unavailable")}}}}function ft(e,t,n,o=[],r={}){return{get:{operationId:e,summary:t,
parameters:o.map(on),responses:n},...r}}var gx={description:"Where the file is.",headers:{...tt("x-request-id"),...tt("location")}},ep={"/v1/generate":ni("generate","Creates a job with any model.","Cr\
eate"),"/v1/video/generations":ni("generateVideo","Creates a job with a model that makes videos.","CreateVideo"),"/v1/images/generations":ni("generateImage","Creates a job with a model that makes imag\
es.","CreateImage"),"/v1/jobs":ft("listJobs","Lists the own jobs, the newest first.",{200:Le("A page of jobs.","JobList"),...ce(...ue,"store_unavailable","not_supported")},["limit","cursor","status","\
model","output_kind","created_after","created_before","metadata"]),"/v1/jobs/{id}":ft("getJob","Gives a job as it is now.",{200:Le("The job.","Job","retry-after"),...ce(...ue,"job_not_found","store_un\
available")},["jobId"],{delete:{operationId:"deleteJob",summary:"Deletes a finished job with its files.",parameters:[on("jobId")],responses:{204:{description:"The job is gone.",headers:tt("x-request-i\
d")},...ce(...ue,"job_not_found","job_processing","store_unavailable")}}}),"/v1/jobs/{id}/events":ft("getEvents","Tells what becomes of a job, until it has finished.",{200:{description:"Server-sent ev\
ents: `state` and at last `done` with the job, `progress` with `progress` from 0 to 1 and `queue_position`, `preview` with a picture as a data URI.",headers:tt("x-request-id"),content:{"text/event-str\
eam":{schema:{type:"string"}}}},204:{description:"The client has got `done` before.",headers:tt("x-request-id")},...ce(...ue,"job_not_found","store_unavailable")},["jobId","last-event-id"]),"/v1/jobs/\
{id}/cancel":{post:{operationId:"cancelJob",summary:"Ends a job, which fails as canceled.",parameters:[on("jobId")],responses:{200:Le("The job has ended.","Job"),202:Le("The provider has not ended the\
 task yet.","Job","retry-after"),...ce(...ue,"job_not_found","job_finished","store_unavailable")}}},"/v1/jobs/{id}/deliveries":ft("listDeliveries","Lists the latest tries to deliver the webhook of a j\
ob, the latest first.",{200:Le("The tries.","DeliveryList"),...ce(...ue,"job_not_found","store_unavailable")},["jobId"]),"/v1/files/{id}":ft("getFile","Leads to an output file of a job.",{302:gx,...ce(
...ue,"file_not_found","store_unavailable")},["jobId","n"]),"/v1/models":ft("listModels","Lists all models.",{200:Le("The models.","ModelList"),...ce(...ue)}),"/v1/models/{id}":ft("getModel","Gives on\
e model.",{200:Le("The model.","Model"),...ce(...ue,"route_not_found")},["modelId"]),"/v1/openapi.json":ft("getOpenapi","Gives this document.",{200:{description:"This document.",headers:tt("x-request-\
id"),content:{"application/json":{schema:{type:"object",additionalProperties:!0}}}},...ce(...ue)})};var Yo={type:"string"},tp={type:"string",format:"date-time"},bx=ae({id:Yo,object:{type:"string",enum:["upload"]},url:{...Yo,description:"What an input has in the place of a URL."},content_type:Yo,bytes:{
type:"integer"},sha256:ie(Yo),created_at:tp,expires_at:tp}),np={Upload:bx},op={"/v1/uploads":{post:{operationId:"createUpload",summary:"Stores a picture, film or sound, to which the inputs of jobs can\
 refer by its `url`.",requestBody:{required:!0,content:{"application/octet-stream":{schema:{type:"string",format:"binary"}}}},responses:{201:Le("The file is stored.","Upload"),...ce(...ue,"request_tim\
eout","request_too_large","unsupported_media_type","store_unavailable")}}},"/v1/uploads/{id}":{delete:{operationId:"deleteUpload",summary:"Deletes an upload.",parameters:[on("uploadId")],responses:{204:{
description:"The upload is gone.",headers:tt("x-request-id")},...ce(...ue,"file_not_found","store_unavailable")}}}};function rp(e,{isPublic:t,takesUploads:n,hasWebhooks:o}){let r=Vl(e,o),{"/v1/openapi.json":s,"/v1/jobs/{id}/deliveries":i,...a}=wx(r),{DeliveryList:c,...d}=Hl;return{info:{title:"Generation jobs",version:"\
1",description:"Creates images and videos as jobs."},security:[{bearer:[]}],paths:{...a,...n&&op,...o&&{"/v1/jobs/{id}/deliveries":i},"/v1/openapi.json":t?{get:{...s.get,security:[]}}:s},components:{securitySchemes:{
bearer:{type:"http",scheme:"bearer"}},headers:Ql,parameters:Xl,responses:zl,schemas:{...r,...d,...n&&np,...o&&{DeliveryList:c}}}}}function wx(e){let{"/v1/images/generations":t,"/v1/video/generations":n,
...o}=ep;return{...o,..."CreateImage"in e&&{"/v1/images/generations":t},..."CreateVideo"in e&&{"/v1/video/generations":n}}}function sp({service:e,models:t,options:n}){let{hasWebhooks:o}=e,r=e.uploads!==void 0,s={isPublic:n.openapi==="public",takesUploads:r,hasWebhooks:o},i;return async({request:a})=>{i??=JSON.stringify(rp(
[...t().values()],s)).slice(1);let c=JSON.stringify([{url:Zt(a,n)}]);return Ae(`{"openapi":"3.1.0","servers":${c},${i}`)}}var kx={"cross-origin-resource-policy":"cross-origin"};function ip({service:e,options:t,downloads:n},o){let{files:r,clock:s}=e;return async c=>{let d=await o.verify(c.params.token??"",s.now());if(!d||
!await a(d))throw new v("file_not_found",An);let{owner:u,name:l,fileKey:p}=d,f={...kx,"cache-control":i(d)};return Vo(c,{owner:u,name:l,headers:f,open:async()=>r.open?.(p)},{clock:s,downloads:n})};function i({
expiresAt:c}){return t.isKeyValid?"private, no-cache":`private, max-age=${Math.floor((c-s.now())/1e3)}, immutable`}async function a({keyId:c}){return t.isKeyValid?c!==void 0&&await t.isKeyValid(c):!0}}function ap({attempts:e=[],dueAt:t}={url:"",events:[]}){return{object:"list",data:e.toReversed().map(xx),next_attempt_at:t===void 0?null:cp(t)}}function xx({event:e,at:t,status:n,error:o}){return{object:"\
delivery",event:e,attempted_at:cp(t),status:o===void 0?"delivered":"failed",response_status:n??null,error:o??null}}function cp(e){return new Date(e).toISOString()}function dp({service:e}){return async t=>Ae(JSON.stringify(ap(await e.deliveries(Re(t),t.owner))))}function oi(e){return en(new TextEncoder().encode(`${e}.${vx(e)}`))}function up(e){let t=e.length<=200?Bo(e):void 0,[n=""]=new TextDecoder().decode(t).split(".");return oi(n)===e?n:void 0}function vx(e){
return Array.from(et(e).slice(0,2),t=>t.charCodeAt(0).toString(36)).join("")}var ri={limit:{accepts:"a whole number from 1 to 100",read:e=>/^(?:[1-9]\d?|100)$/.test(e)?{limit:Number(e)}:void 0},cursor:{accepts:"the next_cursor of an earlier page, unchanged",read:e=>{let t=up(e);
return t===void 0?void 0:{after:t}}},status:lp(["processing","completed","failed"],e=>({status:e})),model:{accepts:"the id of a model",read:e=>e===""?void 0:{model:e}},output_kind:lp(["image","video"],
e=>({outputKind:e})),created_after:pp(e=>({createdFrom:e})),created_before:pp(e=>({createdBefore:e}))};function fp(e=""){let t=e.indexOf("?"),n=new Set,o=[],r={};for(let[i,a]of new URLSearchParams(t<0?
"":e.slice(t))){n.has(i)&&si(i,"may be given once"),n.add(i);let c=/^metadata\[(.*)\]$/s.exec(i)?.[1];c===void 0?r={...r,...Sx(i,a)}:o.push([c,a])}let s=un(Object.fromEntries(o));return s?{...r,metadata:s}:
r}function Sx(e,t){if(!Object.hasOwn(ri,e)){let r=Object.keys(ri).join(", ");si(e,`is not a parameter of this list; there are ${r} and metadata[key]`)}let{accepts:n,read:o}=ri[e];return o(t)??si(e,`mu\
st be ${n}`)}function lp(e,t){return{accepts:`one of ${e.join(", ")}`,read:n=>{let o=e.find(r=>r===n);return o&&t(o)}}}function pp(e){return{accepts:"an instant such as 2026-01-31T12:00:00Z (RFC 3339)\
, in which + is written as %2B",read:t=>{let n=Ex(t);return n===void 0?void 0:e(Math.max(0,n))}}}function Ex(e){let t=/^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.exec(e),n=Date.
parse(e.toUpperCase());if(!t||Number.isNaN(n))return;let[o=""]=t.slice(1);return new Date(`${o}T00:00:00Z`).toISOString().startsWith(o)?n:void 0}function si(e,t){let n=e.slice(0,100);throw new v("inva\
lid_request",`${n} ${t}.`,{param:n})}function mp({service:e}){return async({request:t,owner:n,baseUrl:o})=>{let{jobs:r,next:s}=await e.list({owner:n,...fp(t.path)}),i=r.map(d=>pt(d,o)),a=s===void 0?null:oi(s),c=JSON.stringify({has_more:a!==
null,next_cursor:a});return Ae(`{"object":"list","data":[${i.join(",")}],${c.slice(1)}`)}}function yp({models:e}){let t;return async()=>(t??=JSON.stringify({object:"list",data:[...e().values()]}),Ae(t))}function ii(e,t=!1){let o=`${e==="GET"?"GET, HEAD":e}, ${t?"DELETE, ":""}OPTIONS`,r=new v("method_not_allowed",`This path accepts ${o}.`);return async({request:s})=>s.method==="OPTIONS"?{status:204,headers:{
allow:o}}:Be(r,{allow:o})}var Rx=4*1024*1024,hp=16*1024*1024,Ox=6e4;function gp({service:e,options:t}){let{bodyTimeoutMs:n}=t,o=Math.min(t.maxBodyBytes,Rx),r=Fo(hp,hp)(""),s={maxBodyBytes:o,bodyTimeoutMs:n,budget:r},i=-1/0;async function a(d){
let u=tn(d,o),l=d.body();if("value"in l)throw c();let p=await qo(l,{...s,expectedBytes:u},e.clock,f=>f);return{headers:d.headers(),body:p}}function c(){let d=e.clock.uptime();return d>=i&&(i=d+Ox,e.log.
error("The body of a callback was parsed before it reached genmount. Mount genmount before express.json().")),new v("unsupported_media_type","Callbacks can not be read here.")}return async({request:d,
params:u})=>{let{provider:l="",job:p="",token:f=""}=u,m={provider:Ax(l),token:f};if(await e.receiveCallback(p,()=>a(d),m))return{status:204,headers:{}};throw new v("route_not_found","There is nothing \
at this path.")}}function Ax(e){try{return decodeURIComponent(e)}catch{return e}}var Tx={origins:Px,exposedHeaders:R(Ge("a list of header names such as ['x-ratelimit-remaining']",B("a header name",/^[\w!#$%&'*+.^`|~-]+$/)))},bp=(e,t)=>(pe(e,t," such as { origins: ['https://app.exa\
mple'] }"),$(e,t,Tx));function Px(e,t){if(t==="*")return t;if(!Array.isArray(t)||t.length===0)throw new TypeError(`${e} must be a list of origins such as ['https://app.example'], or '*' alone.`);let n=t.
find(o=>!Cx(o));if(n===void 0)return t;throw new TypeError(`${e} must list origins as browsers write them, such as https://app.example, not ${String(n)}.`)}function Cx(e){return typeof e!="string"||e.
includes("*")?!1:/^https?:/.test(e)?URL.parse(e)?.origin===e:/^[a-z][a-z\d+.-]*:\/\/[a-z\d.-]+(?::\d+)?$/.test(e)}var _x=(e,t)=>{if(t===Xt)throw new TypeError(`${e} must be what apiKeys({ alice: key }) returns, not apiKeys itself.`);return re("apiKeys({ alice: key })")(e,t)},Mx=(e,t)=>{if((typeof t=="string"||t instanceof
Uint8Array)&&t.length>=32)return t;throw new TypeError(`${e} must be a text of at least 32 characters or a Uint8Array of at least 32 bytes.`)},wp={authenticate:_x,credentials:R(le("bearer","any"),"bea\
rer"),cors:R(bp),isKeyValid:R(re("apiKeys({ alice: key }).isKeyValid")),baseUrl:R(gt),trustProxy:R(br,!1),openapi:R(V("'authenticated', 'public' or false",e=>["authenticated","public",!1].includes(e)),
"authenticated"),maxBodyBytes:R(N(),20*1024*1024),maxBodiesBytes:R(N()),maxJsonValues:R(N(),1e4),bodyTimeoutMs:R(Nt(),3e4),maxDownloads:R(N(),1e3),maxDownloadsPerOwner:R(N()),linkSecret:R(Mx)},Jx={...wp,
mountPath:R(B("'' or a path such as '/media', without a slash at its end",Lx),"")};function ai(e,t,n){return kp(e,t),xp(e,$(e,n,wp))}function Qo(e,t,n){return ai(e,t,n)}function ci(e,t,n){kp(e,t);let{
mountPath:o,...r}=$(e,n,Jx);return[o,xp(e,r)]}function kp(e,t){if(!(typeof t?.create=="function"&&typeof t.waitFor=="function"))throw new TypeError(`${e}: service must be a service of createGeneration\
Service, and this is none. Mount what ${e}(service, options) returns.`)}function xp(e,t){let{maxBodyBytes:n,maxDownloads:o,cors:r,credentials:s}=t;if(r?.origins==="*"&&s==="any")throw new TypeError(`${e}\
: cors.origins must list origins when credentials is 'any': '*' would let every site act for its visitors.`);let{maxBodiesBytes:i=Math.max(256*1024*1024,n),maxDownloadsPerOwner:a=Math.ceil(o/4)}=t;return{
...t,maxBodiesBytes:N(n)(`${e}: maxBodiesBytes`,i),maxDownloadsPerOwner:N(1,o)(`${e}: maxDownloadsPerOwner`,a)}}function Lx(e){return/^(?:\/[^/]+)*$/.test(e)&&URL.parse(`http://host${e}/`)?.pathname===
`${e}/`}import{Router as Nx}from"itty-router";function vp(e){let t=e.map(n=>({...n,pattern:Ix(n.path)}));return n=>{let{path:o=""}=n,r=o.indexOf("?"),s=r<0?o:o.slice(0,r),i=n.method==="HEAD"?"GET":n.method;for(let{
pattern:a,path:c,method:d,answer:u,remove:l,otherwise:p}of t){let f=a.exec(s);if(!f)continue;let m={request:n,path:s,route:c,params:f.groups??{}};return d===i?u(m):i==="DELETE"&&l?l(m):p(m)}}}function Ix(e){
let[t]=Nx().all(e).routes;if(!t)throw new Error(`itty-router made no route of ${e}.`);return t[1]}function li(e,t){let n=ai("createV1Interface",e,t),o={service:e,models:zu(e),options:{...n,...Iu(n)},bodiesOf:Fo(n.maxBodiesBytes,n.maxBodyBytes),downloads:Hu(n.maxDownloads,n.maxDownloadsPerOwner)},r=Qu(
n.linkSecret),s=n.cors&&ju(n.cors,n.credentials==="any"),i=$u(e,m),a=g=>qu(o,i($x(g))),c=(g,w,x,A)=>{let k=a(ii(g,A!==void 0));return{method:g,path:w,answer:a(x),...A&&{remove:a(A)},otherwise:k}},d=(g,w,x)=>({
method:g,path:w,answer:x,otherwise:ii(g)});function u(){return n.openapi===!1?[]:[(n.openapi==="public"?d:c)("GET","/v1/openapi.json",sp(o))]}function l({uploads:g}){return g?[c("POST","/v1/uploads",xl(
o,g)),c("DELETE","/v1/uploads/:id",Cl(g)),d("GET",Eo,Fl(o,g))]:[]}let p=a(ui),f=vp([c("GET","/v1/jobs/:id",Bl(o),vl(o)),c("POST","/v1/generate",Go(o)),c("POST","/v1/video/generations",Go(o,"video")),c(
"POST","/v1/images/generations",Go(o,"image")),c("GET","/v1/files/:id",_l(o,r)),c("GET","/v1/models",yp(o)),c("GET","/v1/models/:id+",Dl(o)),...u(),c("GET","/v1/jobs",mp(o)),d("GET","/v1/outputs/:toke\
n+",ip(o,r)),c("POST","/v1/jobs/:id/cancel",tl(o)),c("GET","/v1/jobs/:id/events",Pl(o)),...e.hasWebhooks?[c("GET","/v1/jobs/:id/deliveries",dp(o))]:[],d("POST",In,gp(o)),...l(e),{method:"GET",path:"/v\
1/*",answer:p,otherwise:p}]);function m(g){let w=g instanceof v&&Object.hasOwn(he,g.code),x=w&&g.code==="store_unavailable",A=w&&!x?g.cause:g,k=Be(w?g:new v("internal_error","Something went wrong in t\
his service."));return A!==void 0&&y(k.headers["x-request-id"],A),di(k)}function y(g,w){try{e.log.error(`Request ${g} failed because of a fault in this service.`,{request:g,cause:w})}catch{}}let h=g=>(f(
g)??ui()).then(di,m);async function b(g,w){let x=g.preflight(w);return g.mark(w,x?di(x):await h(w))}return g=>{let w=s?b(s,g):h(g);return g.method==="HEAD"?w.then(Ux):w}}function $x(e){return t=>{let{
path:n}=t;return n.includes("//")||n==="/v1/jobs/"?ui():e(t)}}async function ui(){throw new v("route_not_found","There is nothing at this path.")}function di(e){return e.headers["x-request-id"]??=Ws(),
e.headers["cache-control"]??="no-store",e}function Ux({status:e,headers:t,body:n}){return typeof n=="string"&&(t["content-length"]=String(new TextEncoder().encode(n).length)),{status:e,headers:t}}var jx=/^\/[\w/-]*(?:\?[\w=&-]*)?$/;function pi(e,t){let n=jx.test(e)?e:Fx(e);if(!n?.startsWith(t))return;let o=n.slice(t.length);return o==="/v1"||o.startsWith("/v1/")||o.startsWith("/v1?")?o:void 0}
function Fx(e){let t=URL.parse(e.startsWith("/")?`http://host${e}`:e);return t?t.pathname+t.search:void 0}var Bx=new Set(["authorization","content-type","host"]);function fi(e,t){let n=e.headers[t];return n===void 0?t==="host"?Wx(e):void 0:typeof n!="string"?n.join(", "):Bx.has(t)?Dx(n,t,e.rawHeaders):n}function Sp(e){
return Object.fromEntries(Object.keys(e.headers).map(t=>[t,fi(e,t)??""]))}function Dx(e,t,n){let o=e,r=!0;for(let s=0;s<n.length;s+=2)n[s].length!==t.length||n[s].toLowerCase()!==t||(r||(o+=`, ${n[s+1]}`),
r=!1);return o}function Wx({socket:e}){let{localAddress:t="localhost",localPort:n}=e;return`${t.includes(":")?`[${t}]`:t}:${n}`}import{Socket as Hx}from"node:net";import{Readable as Vx,finished as Kx}from"node:stream";import{pipeline as zx}from"node:stream/promises";import{setImmediate as Yx}from"node:timers/promises";function Xo(e,t){e.next().then(n=>{if(n===void 0)return void t.end();let o=t.write(n);qx(t),o?Xo(e,t):Gx(t,()=>Xo(e,t))})}function qx(e){typeof e.flush=="function"&&e.flush()}function Gx(e,t){let n=setTimeout(
()=>e.destroy(),6e4).unref(),o=()=>{clearTimeout(n),e.off("drain",o).off("close",o),t()};e.on("drain",o).on("close",o),e.closed&&o()}var Qx=1e3;async function Rp(e,t,n,o){let{status:r,headers:s,body:i}=n;if(t.closed||t.headersSent){typeof i=="object"&&await i.cancel();return}if(Zx(e)&&(t.shouldKeepAlive=!1),typeof i=="object")return t.
writeHead(r,s),"next"in i?Xo(i,t):await Xx(i,t);let a=e.method==="HEAD"&&r===200;if(r!==204&&!a&&(s["content-length"]??=String(i===void 0?0:Buffer.byteLength(i))),!o&&Ep(e)&&await Yx(),!o&&Ep(e))return ev(
e,t,n);t.writeHead(r,s),t.end(i)}async function Xx(e,t){try{await zx(Vx.fromWeb(e),t)}catch(n){let o=n.code==="ERR_STREAM_PREMATURE_CLOSE",r=n instanceof v;if(!o&&!r)throw n}}function Zx({socket:e}){return e.
server?.listening===!1}function Ep({complete:e,headers:t}){return!e&&(t["transfer-encoding"]!==void 0||Number(t["content-length"]??0)>0)}function ev(e,t,{status:n,headers:o,body:r}){t.writeHead(n,{...o,
connection:"close"}),t.flushHeaders(),r!==void 0&&t.write(r);let s=()=>{clearTimeout(i),t.end()},i=setTimeout(s,Qx).unref();Kx(e,s);let[a,c]=[0,0];e.on("data",d=>{a++,c+=d.length,tv(e)&&yr(d),_t(a,c)&&
s()})}function tv(e){return e.listenerCount("data")===1&&e.socket instanceof Hx}function Op(e,t){if(e.readableDidRead)throw new Error("The request body was read before the request came to genmount.");let{socket:n}=e,o=e.httpVersionMajor===1,r=n.bytesRead,s,i=!1,a=0;function c(d){
return d.done||(a+=d.value?.length??0),d}return{read(){if(i)return{done:!0};let d=!s&&o?nv(e):void 0;return d?(i=!0,t(),c({value:d})):(s??=e.iterator({destroyOnReturn:!1}),s.next().then(c))},pieces(){
return o?(n.bytesRead-r-a-e.readableLength)/5:0},cancel:()=>{s?.return?.().catch(()=>{})}}}function nv(e){if(e.readableLength===0||e.readableLength!==Number(e.headers["content-length"]))return;let t=e.
read();return e.resume(),t}function Ap(e,t){let n=li(e,Qo("createNodeResponder",e,t));async function o(r,s,i,a){e.isClosing&&(s.shouldKeepAlive=!1);try{await Rp(r,s,i,a)}catch(c){s.destroy(),e.log.error("A reply could not be se\
nt.",{cause:c})}}return(r,s,{target:i,mountPath:a,body:c,next:d})=>{let u=pi(i,a);if(u===void 0&&d)return d();let l=!1,p=()=>{l=!0};n({method:r.method??"GET",path:u,mountPath:a,scheme:"encrypted"in r.
socket?"https":"http",header:f=>fi(r,f),headers:()=>Sp(r),fromHost:{request:r},body:()=>c??Op(r,p),onLeave:f=>ov(s,f)}).then(f=>o(r,s,f,l))}}function ov(e,t){let n=()=>{e.writableFinished||t()};return e.
closed&&n(),e.on("close",n),()=>e.off("close",n)}function mi(e,t){let[n,o]=ci("toNodeHandler",e,t),r=Ap(e,o);return(s,i)=>r(s,i,{target:s.url??"/",mountPath:n})}function Tp(e,t){if(e===null)return;if(/^\d+$/.test(e))return Number(e)*1e3;let n=/^[A-Z][a-z]{2}, .* GMT$/.test(e)?Date.parse(e):Number.NaN;return Number.isNaN(n)?void 0:Math.max(0,n-t)}var rv=6e4;function Pp(e){async function t(n,{body:o,headers:r,signal:s,owner:i}){if(!e)return Js(n,{body:o,headers:r,signal:s,owner:i,timeoutMs:rv});let a=await e(n,{method:"POST",headers:r,body:o,redirect:"\
manual",signal:s});return a.body?.cancel().catch(()=>{}),a}return async(n,o)=>{try{let{status:r,headers:s}=await t(n,o);return{status:r,retryAfterMs:Tp(s.get("retry-after"),o.now)}}catch(r){return r instanceof
W?{error:r.message,isLasting:!r.retryable}:{error:"The receiver could not be reached, or the connection broke off."}}}}var sv={address:"must have a public address.",port:"must have port 443, or a web port from 1024 on."};function yi(e,t){let n=_s(e);return n.allowed?t&&!t.has(e.hostname)?"has a host that this service \
sends nothing to.":void 0:sv[n.refusal.reason]??"must be a URL without user name and password."}var hi="whsec_",Zo={least:24,most:64};async function Cp({id:e,at:t,body:n,secrets:o}){let r=`${Math.floor(t/1e3)}`,s=new TextEncoder().encode(`${e}.${r}.${n}`),i=await Promise.all(o.map(async a=>`v1,${await iv(
a,s)}`));return{"content-type":"application/json","webhook-id":e,"webhook-timestamp":r,"webhook-signature":i.join(" ")}}async function iv(e,t){let n={name:"HMAC",hash:"SHA-256"},o=await crypto.subtle.
importKey("raw",av(e),n,!1,["sign"]),r=new Uint8Array(await crypto.subtle.sign("HMAC",o,t));return ve(r)}function av(e){let t=typeof e=="string"&&e.startsWith(hi)&&Ye(e.slice(hi.length));if(t&&t.length>=
Zo.least&&t.length<=Zo.most)return t;throw new TypeError(`signedWebhooks: secretsOf must give secrets of ${hi} and the base64 of ${Zo.least} to ${Zo.most} bytes.`)}function _p(e,t,n){let o=new Date(t.completedAt??t.createdAt).toISOString();return`${JSON.stringify({type:e,timestamp:o}).slice(0,-1)},"data":${pt(t,n)}}`}var cv={baseUrl:gt,secretsOf:re(),allow:R(Ge("a list of host names",B("a host name such as hooks.example.org",dv))),fetch:R(V("a function such as fetch",e=>typeof e=="function"))};function gi(e){let{baseUrl:t,
secretsOf:n,allow:o,fetch:r}=$("signedWebhooks",e,cv),s=o&&new Set(o.map(a=>a.toLowerCase())),i=Pp(r);return{refusal:a=>yi(a,s),async send({id:a,event:c,job:d,url:u,at:l,signal:p}){let f=yi(new URL(u),
s);if(f!==void 0)return{error:`The URL ${f}`,isLasting:!0};let m=[await n(d.owner)].flat();if(m.length===0)return{error:"The service has no secret to sign with."};let y=_p(c,d,t),h=await Cp({id:a,at:l,
body:y,secrets:m});return i(u,{body:y,headers:h,signal:p,owner:d.owner,now:l})}}}function dv(e){return URL.parse(`https://${e}/`)?.hostname===e.toLowerCase()}var uv="https://receiver.example/hook";function Mp(e){return(t,n)=>fetch(t.replace(uv,e),n)}var lv=["plain","find","dedupe"],Jp=[...lv,"callback","at-once"];var Lp="https://vendor.example";function Np(e){return async(t,{signal:n})=>{let o=await fetch(t.replace(Lp,e),{signal:n});if(!o.ok||!o.body)throw new Error(`${t} answered ${o.status}.`);return{body:o.body}}}import hv from"node:process";import{setTimeout as gv}from"node:timers/promises";import{createHmac as pv,timingSafeEqual as fv}from"node:crypto";var mv="x-vendor-signature";function Ip(e,{headers:t,body:n}){let o=Buffer.from(t[mv]??"","hex"),r=yv(e,n);if(o.length!==r.length||!fv(o,r))throw new Error("The callback is forged.");return JSON.parse(new TextDecoder().decode(n))}
function yv(e,t){return pv("sha256",e).update(t).digest()}function $p(e,{address:t,secret:n}){let o=`Bearer ${n}`;async function r(i,a,c={}){let d={authorization:o,...c.headers},u=await fetch(`${t}${i}`,{...c,headers:d,signal:a});if(u.status!==404){if(!u.ok)
throw new Error(`The vendor answered ${u.status}.`);return await u.json()}}async function s({clientToken:i},{signal:a}){let c=await r(`/tasks?client_token=${i}`,a);return c&&bi(c)}return{name:`vendor-${e}`,
models:[bv(e)],dedupesSubmits:e==="dedupe",...e==="find"&&{find:s},...e==="callback"&&{readCallback:async i=>Ip(n,i).id},async submit({jobId:i,clientToken:a,input:c},{signal:d,callbackUrl:u}){let l={job_id:i,
client_token:a,kind:e,wish:c,callback_url:u,pid:hv.pid};await gv(l.wish.prepare_ms??0,void 0,{signal:d});let p=e==="dedupe"?{"idempotency-key":a}:{};return bi(await r("/tasks",d,{method:"POST",body:JSON.
stringify(l),headers:p}))},async poll({handle:i},{signal:a}){return bi(await r(`/tasks/${String(i)}`,a))},async cancel({handle:i},{signal:a}){await r(`/tasks/${String(i)}`,a,{method:"DELETE"})}}}function bv(e){
return{id:e,outputKind:"image",input:{"~standard":{version:1,vendor:"crashes",validate:n=>({value:n})}}}}function bi(e){if(!e)return{state:"failed",code:"provider_lost",message:"The vendor knows no su\
ch task."};let{id:t,state:n,cost_usd:o}=e;switch(n){case"running":return{state:n,handle:t,pollAfterMs:e.poll_after_ms};case"failed":return{state:n,code:"provider_failed",message:"The vendor failed.",costUsd:o};case"\
succeeded":return{state:n,outputs:e.outputs.map(wv),costUsd:o}}}function wv({url:e,base64:t}){return e===void 0?{bytes:Buffer.from(t??"","base64")}:{url:e}}import{appendFileSync as kv,existsSync as OF,readFileSync as AF}from"node:fs";import xv from"node:process";function Up(e){return t=>kv(e,`${JSON.stringify({pid:xv.pid,at:Date.now(),...t})}
`)}function jp(e,t){let{find:n}=e;return{...e,async submit(o,r){t("submit",o.jobId);let s=await e.submit(o,r);return t("answer",o.jobId),s},...n&&{async find(o,r){let s=await n(o,r);return t(s?"found":"n\
ot found",o.jobId),s}}}}function Fp(e,t,n){let{jobs:o}=e;return{...e,jobs:{...o,async insert(r){let s=await o.insert(r);return s.outcome==="inserted"&&t(r),s},async replace(r,s){let i=await o.replace(
r,s);return i==="replaced"&&t(r),i},async delete(r){await o.delete(r),n(r)}}}}function Bp(e,t){return{...e,async put(n,o,r){await e.put(n,o,r),t("file stored",n)},async delete(n){await e.delete(n),t("\
file deleted",n)}}}function Dp({speed:e,systemAt:t,showsAt:n}){let o=ye();return{now:()=>Math.round(n+(o.now()-t)*e),uptime:()=>o.uptime()*e,after:(r,s)=>o.after(Math.ceil(r/e),s)}}import{writeFileSync as vv}from"node:fs";import{join as Sv}from"node:path";import Wp from"node:process";function qp(e,t){return(n,o)=>{n!==e||Ev(Sv(t,encodeURIComponent(o)))||er()}}function er(){Wp.kill(Wp.pid,"SIGKILL")}function Ev(e){try{return vv(e,"",{flag:"wx"}),!1}catch{return!0}}var Gp=256*1024,IF=Buffer.from(`\x89PNG\r

`,"latin1");function Hp(e,t){let{jobs:n}=e;return{...e,jobs:{...n,async insert(o){let r=String(o.input.prompt);t("before the insert",r);let s=await n.insert(o);return t("after the insert",r),s},async replace(o,r){
C(o)&&t("before the terminal write",o.id);let s=await n.replace(o,r);return s==="stale"||(C(o)&&t("after the terminal write",o.id),o.handle!==void 0&&t("after the handle is stored",o.id)),s}}}}function Vp(e,t){
return{...e,async submit(n,o){let r=await e.submit(n,o);return n.input.poison==="submit"&&er(),t("after the provider has accepted",n.jobId),r},async poll(n,o){let r=await e.poll(n,o);return n.input.poison===
"poll"&&er(),t("after a poll is answered",n.jobId),r}}}function Kp(e,t){return{...e,async fetch(n,o){let{body:r}=await e.fetch(n,o);return{body:r.pipeThrough(Rv(()=>t("in the middle of a copy",n)))}},
async put(n,o,r){o instanceof Uint8Array&&t("before bytes are stored",n),await e.put(n,o,r),o instanceof ReadableStream&&t("after a copy is stored",n)}}}function Rv(e){let t=0;return new TransformStream(
{transform(n,o){t>=Gp/2&&e(),t+=n.byteLength,o.enqueue(n)}})}var zp=wi("a pool such as new Pool() of pg",["connect"]),Yp=wi("a scheduler such as bullmqScheduler()",["start","wakeAt","stop"]),Qp=wi("signals such as redisSignals()",["publish","subscribe"]);function wi(e,t){
return V(e,n=>{let o=n;return t.every(r=>typeof o?.[r]=="function")})}function Xp(e){let t;return{uptime:()=>e.uptime(),after:(n,o)=>e.after(n,o),now:()=>t===void 0?e.now():Math.round(e.uptime()+t),read(n,o,r){let[s,i]=[n-r,n-o];t=t===void 0?(s+i)/2:Math.min(i,Math.max(
s,t))}}}var Zp="(claimed_until IS NULL OR claimed_until <= $1 OR claimed_until > $2)",ki=`
  job, task_part, input_part,
  CASE WHEN task_part <> coalesce($1::bigint, 0) THEN (SELECT text FROM @parts WHERE id = task_part) END AS task,
  CASE WHEN input_part <> coalesce($2::bigint, 0) THEN (SELECT text FROM @parts WHERE id = input_part) END AS input`,Ov="phase, revision, due_at, claimed_until, claimed_by, expires_at, delete_at, job",
ef=`id, owner, idempotency_key, ${Ov}, task_part, input_part`,tf="job_id, owner, model, provider, outcome, cost_usd, created_at, started_at, ended_at, outputs",nf=`
  phase = $3, revision = $4, due_at = $5, claimed_until = $6, claimed_by = $7, expires_at = $8, delete_at = $9,
  job = $10`,of=(e,t)=>`
  (SELECT count(pg_notify('@channel', job_id)) FROM @waits
  WHERE job_id = ${e} AND process <> ${t}) AS told`,rf={insert:`
    INSERT INTO @jobs (${ef})
    VALUES ($1, $2, NULL, $3, $4, $5, $6, $7, $8, $9, $10, NULL, NULL)`,insertWithKeyOrParts:`
    WITH freed AS (
      UPDATE @jobs SET idempotency_key = NULL WHERE idempotency_key = $11 AND expires_at <= $12 RETURNING id
    ), written AS (
      INSERT INTO @jobs (${ef})
      SELECT $1, $2, $11, $3, $4::bigint, $5::bigint, $6::bigint, $7, $8::bigint, $9::bigint, $10,
        CASE WHEN $13::text IS NOT NULL THEN nextval('@parts_id_seq') END,
        CASE WHEN $14::text IS NOT NULL THEN nextval('@parts_id_seq') END
      FROM (SELECT count(*) FROM freed) AS first
      ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
      RETURNING task_part, input_part
    ), parts AS (
      INSERT INTO @parts (id, text) OVERRIDING SYSTEM VALUE
      SELECT task_part, $13 FROM written WHERE task_part IS NOT NULL
      UNION ALL SELECT input_part, $14 FROM written WHERE input_part IS NOT NULL
    )
    SELECT task_part, input_part FROM written`,replace:`
    WITH written AS (
      UPDATE @jobs SET ${nf} WHERE id = $1 AND revision = $2
        AND task_part IS NOT DISTINCT FROM $11::bigint AND input_part IS NOT DISTINCT FROM $12::bigint
      RETURNING id
    )
    SELECT id, ${of("$1","$13")} FROM written
    UNION ALL
    SELECT NULL, NULL FROM @jobs WHERE id = $1 AND revision = $2 AND NOT EXISTS (SELECT FROM written)`,replaceWithPartsOrCost:`
    WITH old AS (
      SELECT id, task_part, input_part FROM @jobs WHERE id = $1 AND revision = $2 FOR UPDATE
    ), written AS (
      UPDATE @jobs SET ${nf},
        task_part = CASE WHEN $14::text IS NOT NULL THEN nextval('@parts_id_seq') ELSE $11::bigint END,
        input_part = CASE WHEN $15::text IS NOT NULL THEN nextval('@parts_id_seq') ELSE $12::bigint END
      FROM old WHERE jobs.id = old.id
        AND ($11::bigint IS NULL OR $11::bigint = old.task_part)
        AND ($12::bigint IS NULL OR $12::bigint = old.input_part)
      RETURNING jobs.id, jobs.task_part, jobs.input_part, old.task_part AS old_task, old.input_part AS old_input
    ), gone AS (
      DELETE FROM @parts WHERE id IN (
        SELECT old_task FROM written WHERE old_task IS DISTINCT FROM task_part
        UNION ALL SELECT old_input FROM written WHERE old_input IS DISTINCT FROM input_part
      )
    ), parts AS (
      INSERT INTO @parts (id, text) OVERRIDING SYSTEM VALUE
      SELECT task_part, $14 FROM written WHERE $14 IS NOT NULL
      UNION ALL SELECT input_part, $15 FROM written WHERE $15 IS NOT NULL
    ), cost AS (
      INSERT INTO @costs AS known
        (job_id, owner, model, provider, outcome, cost_usd, created_at, started_at, ended_at, outputs)
      SELECT id, $16, $17, $18, $19, $20::float8, $21::bigint, $22::bigint, $23::bigint, $24::bigint FROM written
      WHERE $16::text IS NOT NULL
      ON CONFLICT (job_id) DO UPDATE SET
        provider = excluded.provider, outcome = excluded.outcome, cost_usd = excluded.cost_usd,
        started_at = excluded.started_at, ended_at = excluded.ended_at, outputs = excluded.outputs
      WHERE (known.provider, known.outcome, known.cost_usd, known.started_at, known.ended_at, known.outputs)
        IS DISTINCT FROM (
          excluded.provider, excluded.outcome, excluded.cost_usd, excluded.started_at, excluded.ended_at,
          excluded.outputs)
    )
    SELECT id, task_part, input_part, ${of("$1","$13")} FROM written`,get:`SELECT ${ki} FROM @jobs WHERE id = $3 AND ($4::text IS NULL OR owner = $4)`,holderOfKey:`SELECT ${ki} FROM @jobs WHERE idempo\
tency_key = $3 AND expires_at > $4`,due:`
    (SELECT id, due_at FROM @jobs WHERE due_at <= $1 AND ${Zp} ORDER BY due_at LIMIT $3::bigint + $4::bigint)
    UNION ALL
    (SELECT id, due_at FROM @jobs WHERE due_at > $2 AND ${Zp} ORDER BY due_at LIMIT $3::bigint + $4::bigint)
    ORDER BY due_at LIMIT $3::bigint OFFSET $4::bigint`,expired:`SELECT ${ki} FROM @jobs WHERE delete_at <= $3 ORDER BY delete_at LIMIT $4`,delete:`
    WITH gone AS (DELETE FROM @jobs WHERE id = $1 RETURNING task_part, input_part)
    DELETE FROM @parts WHERE id IN (SELECT task_part FROM gone UNION ALL SELECT input_part FROM gone)`,costs:`
    SELECT ${tf} FROM @costs
    WHERE owner = $6 AND ended_at >= $1 AND ended_at < $2 AND (ended_at, job_id) > ($3, $4)
    ORDER BY ended_at, job_id LIMIT $5`,costsOfAll:`
    SELECT ${tf} FROM @costs
    WHERE ended_at >= $1 AND ended_at < $2 AND (ended_at, job_id) > ($3, $4)
    ORDER BY ended_at, job_id LIMIT $5`,list:`
    SELECT job, (SELECT text FROM @parts WHERE id = input_part) AS input FROM (
      SELECT *, sum(length) OVER (ORDER BY owner DESC, id DESC) - length AS length_before FROM (
        SELECT owner, id, job, input_part, octet_length(job)
          + coalesce((SELECT octet_length(text) FROM @parts WHERE id = input_part), 0) AS length
        FROM @jobs WHERE (owner, id) >= ($1, $2) AND (owner, id) < ($1, $3)
        ORDER BY owner DESC, id DESC LIMIT $4
      ) AS last_ones
    ) AS measured
    WHERE length_before = 0 OR length_before + length <= $5 ORDER BY owner DESC, id DESC`,beat:`
    INSERT INTO @processes (id, has_session, seen_at) VALUES ($1, $2, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET has_session = $2, seen_at = clock_timestamp()
    RETURNING slot, extract(epoch FROM clock_timestamp()) * 1000 AS now, pg_backend_pid() AS backend`,leave:`
    WITH waited AS (DELETE FROM @waits WHERE process = $1)
    UPDATE @processes SET seen_at = '-infinity' WHERE id = $1`,processes:`
    SELECT id, process.seen_at > '-infinity' AND (
      seen_at > clock_timestamp() - CASE WHEN has_session THEN interval '5000 ms' ELSE interval '30 s' END
      OR EXISTS (
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND classid = '@space'::regnamespace::oid AND objid = process.slot::oid
      )
    ) AS lives FROM @processes AS process`,leftBehind:`
    SELECT id, claimed_by FROM @jobs WHERE due_at IS NOT NULL AND claimed_until > $1 AND claimed_until <= $2
      AND claimed_by = ANY ($3::text[]) LIMIT $4`,forget:`
    WITH waited AS (DELETE FROM @waits WHERE process = ANY ($1::text[]))
    DELETE FROM @processes WHERE id = ANY ($1::text[])`,wait:`
    WITH kept AS (
      INSERT INTO @waits (job_id, process) SELECT id, $2 FROM unnest($1::text[]) AS id ON CONFLICT DO NOTHING
    )
    SELECT id, revision FROM @jobs WHERE id = ANY ($1::text[])`,tellNews:"SELECT count(pg_notify('@channel', $3)) FROM @waits WHERE job_id = $1 AND process <> $2",stopWaiting:"DELETE FROM @waits WHERE\
 process = $2 AND job_id = ANY ($1::text[])"},GF=Object.keys(rf);function sf(e,t){return rf[e].replaceAll("@channel",tr(t)).replaceAll("@space",t).replaceAll("@",`${t}.`)}function tr(e){return`genmoun\
t_${e}`}var af=1e3,cf=3500;function df({processId:e,database:t,session:n,host:o,clock:r}){let s=!1,i=()=>{},a=Number.POSITIVE_INFINITY,c=Number.NEGATIVE_INFINITY;function d(){return o.uptime()-c<cf}async function u(){
let p=o.uptime(),[f]=await t.runAtOnce("beat",[e,n.isDirect()]),m=o.uptime();r.read(Number(f?.now),p,m),m-c>cf&&(a=m),c=p,s||n.open(Number(f?.slot))}function l(p){i(),!s&&(i=o.after(p,()=>{n.probe(),u().
catch(()=>{}).finally(()=>l(af))}))}return{async start(){await u(),l(af)},canJudge(){return d()&&o.uptime()-a>5e3},beatNow:()=>l(0),seenSince:()=>d()?a:Number.POSITIVE_INFINITY,stop(){s=!0,i()}}}var uf=new WeakSet,Tv=/^(57P0\d|08|25006)/;function xi({pool:e,clock:t,limitMs:n,use:o}){return new Promise((r,s)=>{let i,a=!1,c=(l,p)=>{a||(a=!0,d(),i?.release(l),p())},d=t.after(n,()=>{let l=i?"it h\
as not answered":"no connection was free";c(!0,()=>s(new Error(`${l} within ${n/1e3} s`)))});(async()=>{let l=await e.connect();if(a)return l.release();i=vi(l);let p=await o(i);c(!1,()=>r(p))})().catch(
l=>c(Pv(l),()=>s(l)))})}function lf(e,t,n,o){return xi({pool:e,clock:t,limitMs:n,use:r=>r.query(o)})}function vi(e){return uf.has(e)||(uf.add(e),e.on?.("error",()=>{})),e}function Pv(e){let{code:t}=e;
return typeof t!="string"||!/^[0-9A-Z]{5}$/.test(t)||Tv.test(t)}var Cv=/^[a-z_][a-z0-9_]{0,39}$/,pf=R(B("the name of a Postgres schema: at most 40 small letters, digits and underscores",e=>Cv.test(e)&&!e.startsWith("pg_")));var ff=[{oldestReader:1,sql:`
CREATE TABLE @jobs (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  phase text NOT NULL,
  revision bigint NOT NULL,
  due_at bigint,
  claimed_until bigint,
  claimed_by text COLLATE "C",
  expires_at bigint NOT NULL,
  delete_at bigint,
  idempotency_key text COLLATE "C",
  task_part bigint,
  input_part bigint,
  job text NOT NULL
) WITH (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX jobs_due ON @jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_to_delete ON @jobs (delete_at) WHERE delete_at IS NOT NULL;
CREATE UNIQUE INDEX jobs_by_key ON @jobs (idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE @parts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  text text NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE @costs (
  job_id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  provider text COLLATE "C",
  outcome text NOT NULL,
  cost_usd double precision,
  created_at bigint NOT NULL,
  started_at bigint,
  ended_at bigint NOT NULL
);
CREATE INDEX costs_of_owner ON @costs (owner, ended_at, job_id);

CREATE TABLE @processes (
  id text COLLATE "C" PRIMARY KEY,
  slot int GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL DEFAULT current_setting('application_name'),
  has_session boolean NOT NULL,
  seen_at timestamptz NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 100, autovacuum_vacuum_scale_factor = 0);

CREATE UNLOGGED TABLE @waits (
  job_id text COLLATE "C",
  process text COLLATE "C",
  PRIMARY KEY (job_id, process)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
`},{oldestReader:1,sql:"CREATE INDEX jobs_of_owner ON @jobs (owner, id);"},{oldestReader:1,sql:`
ALTER TABLE @costs ADD COLUMN outputs bigint;
CREATE INDEX costs_by_end ON @costs (ended_at, job_id);
`}],rn=ff.length;function mf(e){return`SELECT pg_advisory_xact_lock(hashtextextended('genmount ${e}', 0))`}function yf(e,t){return ff.slice(e).map(({oldestReader:n,sql:o},r)=>{let s=e+r+1,i=s===1?"CRE\
ATE TABLE @versions (version int PRIMARY KEY, oldest_reader int NOT NULL);":"",a=`INSERT INTO @versions VALUES (${s}, ${n});`,c=[i,o.trim(),a].filter(d=>d!=="").join(`
`);return{version:s,sql:`${c.replaceAll("@",`${t}.`)}
`}})}async function hf(e,t,n){let{version:o}=bf(await gf(e,t));if(!(o>=rn)){if(!n){let r=o===0?"it does not exist":`it has version ${o}`;throw new Error(`${r}, and this release needs ${rn}; migrate it with\
 \`npx @genmount/backend-postgres migrate --schema ${t}\``)}for(;o<rn;)o=await _v(e,t)}}async function gf(e,t){if((await e.query({text:`SELECT FROM pg_tables WHERE schemaname = '${t}' AND tablename = \
'versions'`})).rows.length===0)return{version:0,oldestReader:0};let{rows:o}=await e.query({text:`SELECT version, oldest_reader FROM ${t}.versions ORDER BY version DESC LIMIT 1`});return{version:Number(
o[0]?.version??0),oldestReader:Number(o[0]?.oldest_reader??0)}}function bf(e){if(e.oldestReader<=rn)return e;throw new Error(`its schema has version ${e.version}, which releases from version ${e.oldestReader}\
 on can use, and this release knows ${rn}; use the release of @genmount/backend-postgres that has migrated it, or a newer one`)}async function _v(e,t){await e.query({text:"BEGIN"});try{await e.query({
text:mf(t)});let{version:n}=bf(await gf(e,t)),[o]=yf(n,t);if(o){let{rows:r}=await e.query({text:`SELECT FROM pg_namespace WHERE nspname = '${t}'`});r.length===0&&await e.query({text:`CREATE SCHEMA ${t}`}),
await e.query({text:o.sql})}return await e.query({text:"COMMIT"}),o?.version??n}catch(n){throw await e.query({text:"ROLLBACK"}).catch(()=>{}),n}}var Mv={ECONNREFUSED:"no server accepts connections there; start it, or correct host and port of the pool",ENOTFOUND:"there is no such host; correct the host of the pool","28P01":"correct user and pas\
sword of the pool",28e3:"the server does not let this user in; correct the user of the pool, or pg_hba.conf","3D000":"create the database, or correct its name in the pool",42501:"the user of the pool \
lacks a right; grant it, or migrate with a user that has it",53100:"the disk of the server is full",53300:"the server has no connection left; lower `max` of the pools, or raise max_connections",25006:"\
this server may only be read: it is a replica, or a fail-over is under way","57P01":"the server has ended the connection; the next call makes another one","57P03":"the server is starting or stopping",
57014:"the statement was cancelled, for example by statement_timeout",40001:"transactions got in one another\u2019s way again and again","42P01":"a table is missing; migrate the schema, or leave the o\
ption `migrate` out","3F000":"the schema is missing; migrate it, or leave the option `migrate` out"};function Si(e,t,n=Jv(t)){return new Error(`The job database (schema ${e}) can't be used: ${n}.`,{cause:t})}
function Jv(e){let{code:t,message:n,errors:o}=e??{},r=Array.isArray(o)?o[0]:void 0,i=String(n||r?.message||e).replace(/:\/\/[^\s/@]+@/g,"://[secret]@").replace(/\.$/,""),a=Mv[String(t)];return a===void 0?
i:`${i}; ${a}`}var Lv=9e3,Nv=10*6e4,Iv=e=>/^(40001|40P01)$/.test(String(e.code)),$v=4,wf=new WeakSet;function kf(e){let{pool:t,schema:n,migrate:o,clock:r,mayPrepare:s,onOpen:i}=e,a=new Set,c=new Map,d,u=!1;wf.has(t)||
(wf.add(t),t.on?.("error",()=>{}));function l(h){let b=c.get(h)??sf(h,n).trim().replace(/\s+/g," ");return c.set(h,b),b}async function p(h,b){let g={text:l(h),values:b,...s()&&{name:`${n}.${h}`}};for(let w=1;;w++)
try{return(await lf(t,r,Lv,g)).rows}catch(x){if(w===$v||!Iv(x))throw Si(n,x)}}async function f(){try{await xi({pool:t,clock:r,limitMs:Nv,use:async b=>{let{rows:g}=await b.query({text:"SELECT current_s\
etting('server_encoding') AS encoding"});if(g[0]?.encoding!=="UTF8")throw new Error(`its encoding is ${g[0]?.encoding}; create a database with the encoding UTF8`);o!==!1&&await hf(b,n,o==="auto")}})}catch(h){
throw Si(n,h)}await i()}function m(){return d??=f().catch(h=>{throw d=void 0,h}),d}function y(h){if(u)return Promise.reject(new Error(`The job database (schema ${n}) has been closed.`));let b=h();a.add(
b);let g=()=>{a.delete(b)};return b.then(g,g),b}return{run:(h,b)=>y(()=>m().then(()=>p(h,b))),runAtOnce:p,open:()=>y(m),async close(){u=!0,await Promise.allSettled(a)}}}var nr="json:";function q(e){return e.includes("\0")||e.startsWith(nr)||!e.isWellFormed()?nr+JSON.stringify(e):e}function Ne(e){return e.startsWith(nr)?JSON.parse(e.slice(nr.length)):e}function xf(e){let{provider:t,cost_usd:n,outputs:o,started_at:r}=e;return{job:Ne(String(e.job_id)),owner:Ne(String(e.owner)),model:Ne(String(e.model)),...t!==null&&{provider:Ne(String(t))},outcome:e.outcome===
"completed"?"completed":"failed",...n!==null&&{costUsd:Number(n)},...o!==null&&{outputs:Number(o)},createdAt:Number(e.created_at),...r!==null&&{startedAt:Number(r)},endedAt:Number(e.ended_at)}}function vf(e){
if(!e)return Array.from({length:9},()=>null);let{owner:t,model:n,provider:o,outcome:r,costUsd:s,outputs:i,createdAt:a,startedAt:c,endedAt:d}=e,u=o===void 0?null:q(o);return[q(t),q(n),u,r,s??null,a,c??
null,d,i??null]}import{LRUCache as Uv}from"lru-cache";var jv=64*2**20,Fv={};function Sf(){let e=new Uv({maxSize:jv});return{of:t=>e.get(t)??Fv,keep(t,n){let o=(n.task?.length??0)+(n.input?.length??0);o>0?e.set(t,n,{size:o}):
e.delete(t)}}}var Bv=2e3;function Ef(){let e=Sf();function t(r,s,i){if(r&&s?.value===r)return{id:s.id,text:null,part:s};let a=r&&(i??JSON.stringify(r));return{id:null,text:a&&a.length>=Bv?a:null,part:void 0}}function n(r,s,i){
let a=s[`${r}_part`];if(a===null)return;if(s[r]===null)return i;let c=String(s[r]);return{id:String(a),value:fe(JSON.parse(c)),length:c.length}}function o({id:r,text:s},i){return s!==null||r!==(i?.id??
null)}return{separate(r,s=!1){let i=s?{}:e.of(r.id),a=t(r.task,i.task),c=t(r.input,i.input,r.input===r.task?a.text??void 0:void 0),{task:d,...u}=r,l={...a.id!==null||a.text!==null?u:r,...(c.id!==null||
c.text!==null)&&{input:{}}},p=(f,m,y)=>{let h=r[f];return m.text===null||!h?m.part:{id:String(y),value:fe(h),length:m.text.length}};return a.text!==null&&fe(r.task),c.text!==null&&fe(r.input),{rest:JSON.
stringify(l),ids:[a.id,c.id],texts:[a.text,c.text],isChanged:o(a,i.task)||o(c,i.input),keep:f=>e.keep(r.id,{task:p("task",a,f.task_part),input:p("input",c,f.input_part)})}},known(r){let s=e.of(r);return{
parts:s,ids:[s.task?.id??null,s.input?.id??null]}},join(r,s={}){let i=JSON.parse(String(r.job));if(r.task_part===null&&r.input_part===null)return i;let a=n("task",r,s.task),c=n("input",r,s.input);return a&&
(i.task=a.value),c&&(i.input=c.value),e.keep(i.id,{task:a,input:c}),i},forget:r=>e.keep(r,{})}}var Dv=5;function Of(e,t,n){let o=Ef();async function r(s,i){let[a]=await e.run("holderOfKey",[null,null,q(s),i]);return a&&o.join(a)}return{async insert(s){let{owner:i,idempotency:a,createdAt:c}=s,d=q(
s.id),{rest:u,texts:l,keep:p}=o.separate(s,!0),f=[d,q(i),...Rf(s,u)],m=a?.key;if(m===void 0&&l.every(h=>h===null))return await e.run("insert",f),{outcome:"inserted"};let y=[...f,m===void 0?null:q(m),c,
...l];for(let h=0;h<Dv;h++){let[b]=await e.run("insertWithKeyOrParts",y);if(b)return p(b),{outcome:"inserted"};let g=await r(m??"",c);if(g)return{outcome:"duplicate",job:g}}throw new Error(`Job ${s.id}\
 was not stored: its idempotency key has changed hands again and again.`)},findByIdempotencyKey:r,async get(s,i){let a=o.known(s),c=i===void 0?null:q(i),[d]=await e.run("get",[...a.ids,q(s),c]),u=d&&o.
join(d,a.parts);return u&&n(s,u.revision),u},async replace(s,i){let a=wt(s),c=async u=>{let{rest:l,ids:p,texts:f,isChanged:m,keep:y}=o.separate(s,u),h=s.claimedUntil===void 0?t:null,b=[q(s.id),i,...Rf(
s,l),...p,h];if(!m&&!a&&!u)return(await e.run("replace",b))[0];let[g]=await e.run("replaceWithPartsOrCost",[...b,...f,...vf(a)]);return g&&y(g),g},d=await c(!1);return(d?d.id===null:o.known(s.id).ids.
some(u=>u!==null))&&(d=await c(!0)),d?(n(s.id,s.revision),"replaced"):"stale"},async due(s,i,a=0){return(await e.run("due",[s,s+Z,i,a])).map(d=>Ne(String(d.id)))},async expired(s,i){return(await e.run(
"expired",[null,null,s,i])).map(c=>o.join(c))},async list({owner:s,from:i="",before:a,limit:c,maxLength:d}){let u=[q(i),a===void 0?Wv:q(a)];return(await e.run("list",[q(s),...u,c,d])).map(({job:p,input:f})=>{
let{task:m,...y}=JSON.parse(String(p));return f===null?y:{...y,input:JSON.parse(String(f))}})},async delete(s){await e.run("delete",[q(s)]),o.forget(s)},async costs({owner:s,from:i,to:a,after:c,limit:d}){
let u=[i,a,c?.endedAt??i,c?q(c.job):"",d];return(s===void 0?await e.run("costsOfAll",u):await e.run("costs",[...u,q(s)])).map(xf)}}}var Wv="\u{10FFFF}";function Rf(e,t){let{phase:n,revision:o,dueAt:r,
claimedUntil:s,claimToken:i="",expiresAt:a,deleteAt:c}=e,d=s===void 0?-1:i.indexOf(":"),u=d<0?null:q(i.slice(0,d)),l=C(e)?c??a:null;return[n,o,r??null,s??null,u,a,l,t]}var qv=250;function Af(e,t,n,o){let r;async function s(){if(await t.open(),!n.canJudge())return;let i=o.uptime();if(!r||i-r.at>qv){let a=t.run("processes",[]).then(c=>new Map(c.map(d=>[String(d.id),d.
lives===!0])));r={verdicts:a,at:i},a.catch(()=>r=void 0)}return r.verdicts}return{id:e,seenSince:()=>n.seenSince(),async hasEnded(i){if(i===e||!/^[\w-]+$/.test(i))return!1;let a=await s();return a!==void 0&&
!a.get(i)},async leftBehind(i){let c=[...await s()??[]].filter(([l,p])=>!p&&l!==e).map(([l])=>l);if(c.length===0)return[];let d=o.now(),u=await t.run("leftBehind",[d,d+Z,c,i]);if(u.length<i){let l=new Set(
u.map(p=>p.claimed_by));await t.run("forget",[c.filter(p=>!l.has(p))])}return u.map(l=>String(l.id))}}}var Gv=8e3,Ei="news:";function Pf(e,t){let n=Tf(e,t);if(new TextEncoder().encode(n).length<Gv)return n;let{preview:o,...r}=t;return Tf(e,r)}function Tf(e,t){return`${Ei}{"job":${JSON.stringify(e)},"ne\
ws":${yn(t)}}`}function Cf(e){if(e.startsWith(Ei))try{let{job:t,news:n}=JSON.parse(e.slice(Ei.length)),o=At(n);return o&&{jobId:String(t),news:o}}catch{return}}var Ri=10,Oi=1500,_f=1e3;function Mf(e,t,n){let o=Ke(),r=new Map,s=new Set,i=!1,a=!1,c=!1,d=Number.POSITIVE_INFINITY,u=Number.NEGATIVE_INFINITY,l=()=>{};function p(g){let w=n.uptime()+g;i||w>=d||(d=w,
l(),l=n.after(g,()=>{f()}))}async function f(){if(a)return void(c=!0);a=!0,d=Number.POSITIVE_INFINITY,await m().catch(()=>{}),a=!1,c?p(Ri):(r.size>0||s.size>0)&&p(Oi),c=!1}async function m(){let g=n.uptime()-
u>=Oi;g&&(u=n.uptime());let w=[...r].filter(([,{isTold:x}])=>g||!x).map(([x])=>x);for(let x=0;x<w.length;x+=_f){let A=w.slice(x,x+_f),k=await e.run("wait",[A.map(q),t]);for(let E of A){let S=r.get(E);
S?S.isTold=!0:s.add(E)}for(let E of k)h(Ne(String(E.id)),Number(E.revision))}g&&await y()}async function y(){let g=[...s].filter(w=>!r.has(w));s.clear(),g.length>0&&await e.run("stopWaiting",[g.map(q),
t])}function h(g,w){let x=r.get(g);!x||x.revision===w||(x.revision=w,o.publish(g))}function b(g,w){let x=r.get(g)??{count:0,revision:void 0,isTold:!1};x.count++,r.set(g,x),p(x.isTold?Oi:Ri);let A=!1;return()=>{
w(),!A&&(A=!0,!(--x.count>0)&&(r.delete(g),x.isTold&&s.add(g)))}}return{publish:o.publish,subscribe:(g,w)=>b(g,o.subscribe(g,w)),news:{publish(g,w){o.news.publish(g,w),e.run("tellNews",[q(g),t,Pf(g,w)]).
catch(()=>{})},subscribe:(g,w)=>b(g,o.news.subscribe(g,w))},saw(g,w){let x=r.get(g);x&&w>(x.revision??0)&&(x.revision=w)},hear(g){let w=Cf(g);if(w)return o.news.publish(w.jobId,w.news);let x=g;r.has(Ne(
x))&&o.publish(Ne(x))},lookSoon(){u=Number.NEGATIVE_INFINITY,r.size>0&&p(Ri)},async close(){i=!0,l()}}}var Hv=2500,Jf={least:200,most:2e3};function Lf({pool:e,schema:t,clock:n,onNotification:o,onReconnect:r}){let s,i=!1,a=!1,c=e.options?.max===1,d=!1,u=!1,l=!1,p,f=0,m=()=>{};async function y(){if(!(d||
u||s||c)){u=!0;try{let x=e.connect(),A=vi(await w(x).catch(k=>{throw x.then(E=>E.release()).catch(()=>{}),k}));if(d)return A.release();await h(A).catch(k=>{throw A.release(!0),k}),f=0}catch{g()}finally{
u=!1}}}async function h(x){let A=O=>w(x.query(O)),{rows:k}=await A({text:"SELECT pg_backend_pid() AS pid"});if(a=x.processID===Number(k[0]?.pid),c=!a,c)return x.release();await A({text:"SELECT set_con\
fig('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false), set_config('idle_session_timeout', '0', false)"}).catch(()=>{}),
x.on?.("error",()=>b(x)),x.on?.("notification",({channel:O,payload:P=""})=>{O===tr(t)&&s===x&&o(P)}),await A({text:`LISTEN ${tr(t)}`});let S=await A({text:`SELECT pg_try_advisory_lock('${t}'::regnames\
pace::oid::int, ${p}) AS has`});if(x.unref?.(),d)return x.release(!0);s=x,i=S.rows[0]?.has===!0,r()}function b(x){s===x&&(s=void 0,i=!1,x.release(!0),g(0))}function g(x=Math.min(Jf.most,Jf.least*2**f++)){
m(),d||(m=n.after(x,()=>{y()}))}function w(x){return new Promise((A,k)=>{let E=n.after(Hv,()=>k(new Error("The connection has not answered.")));x.finally(E).then(A,k)})}return{holds:()=>i,isDirect:()=>a,
open(x){if(p===x&&f>0)return;let A=p!==x;p=x,s&&A?b(s):y()},probe(){let x=s;if(!x||l)return;l=!0;let A=i?"SELECT true AS has":`SELECT pg_try_advisory_lock('${t}'::regnamespace::oid::int, ${p}) AS has`;
w(x.query({text:A})).then(({rows:k})=>{s===x&&(i=k[0]?.has===!0)}).catch(()=>b(x)).finally(()=>l=!1)},close(){d=!0,m(),s?.release(!0),s=void 0,i=!1}}}var Vv={pool:zp,schema:pf,migrate:R((e,t)=>t===!1?!1:le("auto","check")(e,t)),scheduler:R(Yp),signals:R(Qp),clock:R(He)};function or(e){let t=$("postgresBackend",e,Vv),{pool:n,schema:o="genmount",migrate:r="\
auto",clock:s=ye()}=t,i=crypto.randomUUID(),a=Xp(s),u=kf({pool:n,schema:o,migrate:r,clock:s,mayPrepare:()=>p.isDirect(),onOpen:()=>f.start()}),l=t.signals?void 0:Mf(u,i,s),p=Lf({pool:n,schema:o,clock:s,
onNotification:y=>l?.hear(y),onReconnect(){l?.lookSoon(),f.beatNow()}}),f=df({processId:i,database:u,session:p,host:s,clock:a}),m=t.scheduler??Rt(a);return{jobs:Of(u,i,(y,h)=>l?.saw(y,h)),scheduler:m,
signals:t.signals??l,processes:Af(i,u,f,a),clock:a,durable:!0,ready:()=>u.open(),async close(){await l?.close(),await m.stop(),f.stop(),await u.close(),await u.runAtOnce("leave",[i]).catch(()=>{}),p.close()}}}async function mt(){try{return await import("node:sqlite")}catch(e){let t="sqliteBackend needs node:sqlite, which this runtime does not have: use Node 22.13, Deno 2.9, Bun 1.4 or newer.";throw new Error(
t,{cause:e})}}import{Worker as Kv}from"node:worker_threads";var zv=`
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const [file, identities] = workerData
function check() {
  for (const path in identities) {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (!stats || stats.dev + ' ' + stats.ino !== identities[path])
      throw new Error(path + ' was removed or replaced')
  }
}
check()
const database = new DatabaseSync(file)
const run = (sql) => database.exec(sql)
const get = (sql) => database.prepare(sql).get()
run('PRAGMA busy_timeout = 50; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0')
get('SELECT count(*) FROM sqlite_schema')
check()

const orders = {
  restartLog() {
    const { log, checkpointed } = get('PRAGMA wal_checkpoint(PASSIVE)')
    if (checkpointed < log) get('PRAGMA wal_checkpoint(RESTART)')
    try {
      run('BEGIN IMMEDIATE')
    } catch {
      return
    }
    try {
      run('PRAGMA user_version = ' + get('PRAGMA user_version').user_version + '; COMMIT')
    } catch (error) {
      run('ROLLBACK')
      throw error
    }
  },
  emptyLog() {
    if (get('PRAGMA wal_checkpoint(TRUNCATE)').busy)
      throw new Error('the last writes could not be put on disk, because other processes keep the file busy')
  },
  close: () => database.close(),
}

parentPort.on('message', (order) => {
  try {
    orders[order]()
    parentPort.postMessage('')
  } catch (error) {
    parentPort.postMessage(error.message)
  }
})`,Yv=new URL(`data:text/javascript,${encodeURIComponent(zv)}`);function Nf(e,t){let n=[],o;function r(){let i=new Kv(Yv,{workerData:[e,t]}),a=d=>{if(o!==i)return;o=void 0;let u=d instanceof Error?d:
new Error(`its thread has exited with ${String(d)}`);for(let{reject:l}of n.splice(0))l(u)},c=d=>{let{resolve:u,reject:l}=n.shift()??{};d===""?u?.():l?.(new Error(d)),n.length===0&&i.unref()};return i.
on("message",c).on("error",a).on("exit",a)}async function s(i){o??=r(),o.ref();let a=Promise.withResolvers();n.push(a),o.postMessage(i),await a.promise}return{restartLog:()=>s("restartLog"),emptyLog:()=>s(
"emptyLog"),async close(){let i=o;i&&(await s("close").catch(()=>{}),o=void 0,await i.terminate())}}}async function Te(e){let t=performance.now()+800;for(;;){try{return e()}catch(n){if(!Qv(n)||performance.now()>=t)throw n}await new Promise(n=>setTimeout(n,Math.random()*15))}}function Qv(e){let{errcode:t}=e;
return t!==void 0&&(t&255)===5}var Zv=5;function If(e,t,n){let o=e.prepare("BEGIN IMMEDIATE"),r=e.prepare("COMMIT"),s=e.prepare("ROLLBACK"),i=[],a=!1,c=0;function d(){let y=0;o.run();let h=performance.now();try{for(let{run:g}of i)if(g(),
y++,performance.now()>=h+Zv)break;r.run();let b=performance.now();return c=b+Math.min(15,(b-h)/2),y}catch(b){throw u(),b}}function u(){try{s.run()}catch{}}async function l(){if(!a){for(a=!0;i.length>0;){
await m(),await t();try{let y=await Te(d);p(i.splice(0,y))}catch(y){f(i.splice(0),y)}}a=!1}}async function p(y){try{await n();for(let{resolve:h}of y)h()}catch(h){f(y,h)}}function f(y,h){for(let{reject:b}of y)
b(h)}function m(){let y=c-performance.now();return new Promise(h=>y<1?setImmediate(h):setTimeout(h,y))}return{write(y){return new Promise((h,b)=>{let g;i.push({run:()=>{g=y()},resolve:()=>h(g),reject:b}),
l()})}}}var Ai=`
  SELECT job, tasks.id AS task_row, CASE WHEN tasks.id IS ? THEN NULL ELSE task END AS task,
    inputs.id AS input_row, CASE WHEN inputs.id IS ? THEN NULL ELSE input END AS input
  FROM jobs LEFT JOIN tasks ON tasks.job_id = jobs.id LEFT JOIN inputs ON inputs.job_id = jobs.id`,$f=`
  FROM jobs LEFT JOIN inputs ON inputs.job_id = jobs.id
  WHERE owner = :owner AND jobs.id >= :from AND jobs.id < :before ORDER BY jobs.id DESC LIMIT :limit`,Uf="substr(job ->> '$.claimToken', 1, instr(job ->> '$.claimToken', ':') - 1)",jf="(claimed_until \
IS NULL OR claimed_until <= :now OR claimed_until > :farAhead)",e0={insert:`
    INSERT INTO jobs (phase, revision, due_at, claimed_until, expires_at, delete_at, job, id, owner, idempotency_key)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (idempotency_key) DO NOTHING`,replace:`
    UPDATE jobs SET phase = ?, revision = ?, due_at = ?, claimed_until = ?, expires_at = ?, delete_at = ?, job = ?
    WHERE id = ? AND revision = ?`,delete:"DELETE FROM jobs WHERE id = ?",get:`${Ai} WHERE jobs.id = ? AND owner = ifnull(?, owner)`,holderOfKey:`${Ai} WHERE idempotency_key = ? AND expires_at > ?`,freeExpiredKey:"\
UPDATE jobs SET idempotency_key = NULL WHERE idempotency_key = ? AND expires_at <= ?",due:`
    SELECT id, due_at FROM jobs WHERE due_at <= :now AND ${jf}
    UNION ALL
    SELECT id, due_at FROM jobs WHERE due_at > :farAhead AND ${jf}
    ORDER BY due_at LIMIT :limit OFFSET :skip`,expired:`${Ai} WHERE phase IN ('completed', 'failed') AND ifnull(delete_at, expires_at) <= ? LIMIT ?`,lengths:`SELECT octet_length(job) + ifnull(octet_le\
ngth(input), 0) AS length ${$f}`,list:`SELECT job, input ${$f}`,leftBehind:`
    SELECT id, ${Uf} AS process FROM jobs
    WHERE due_at IS NOT NULL AND claimed_until > :now AND claimed_until <= :farAhead
      AND ${Uf} IN (SELECT value FROM json_each(:gone))
    LIMIT :limit`,insertTask:"INSERT INTO tasks (job_id, task) VALUES (?, ?)",deleteTask:"DELETE FROM tasks WHERE job_id = ?",taskRow:"SELECT id FROM tasks WHERE job_id = ?",insertInput:"INSERT INTO i\
nputs (job_id, input) VALUES (?, ?)",deleteInput:"DELETE FROM inputs WHERE job_id = ?",inputRow:"SELECT id FROM inputs WHERE job_id = ?",costs:`
    SELECT * FROM costs WHERE owner = :owner AND ended_at >= :from AND ended_at < :to
      AND (ended_at, job_id) > (:afterEnd, :afterJob)
    ORDER BY ended_at, job_id LIMIT :limit`,costsOfAll:`
    SELECT * FROM costs WHERE ended_at >= :from AND ended_at < :to
      AND (ended_at, job_id) > (:afterEnd, :afterJob)
    ORDER BY ended_at, job_id LIMIT :limit`,fileVersion:"PRAGMA data_version",revisions:"SELECT id, revision FROM jobs WHERE id IN (SELECT value FROM json_each(?))"};function Ff(e){let t=Object.entries(
e0).map(([n,o])=>[n,e.prepare(o)]);return Object.fromEntries(t)}var Pn=[`
  CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    phase TEXT NOT NULL,
    revision INTEGER NOT NULL,
    due_at INTEGER,
    claimed_until INTEGER,
    expires_at INTEGER NOT NULL,
    idempotency_key TEXT UNIQUE,
    job TEXT NOT NULL
  );
  CREATE INDEX jobs_due ON jobs (due_at, claimed_until) WHERE due_at IS NOT NULL;
  CREATE INDEX jobs_expired ON jobs (expires_at) WHERE phase IN ('completed', 'failed');

  CREATE TABLE tasks (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    job_id TEXT NOT NULL UNIQUE,
    task TEXT NOT NULL
  );
  `,`
  ALTER TABLE jobs ADD COLUMN delete_at INTEGER;
  DROP INDEX jobs_expired;
  CREATE INDEX jobs_to_delete ON jobs (ifnull(delete_at, expires_at)) WHERE phase IN ('completed', 'failed');
  `,`
  CREATE TABLE inputs (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    job_id TEXT NOT NULL UNIQUE,
    input TEXT NOT NULL
  );
  CREATE TRIGGER input_goes_with_its_job AFTER DELETE ON jobs BEGIN
    DELETE FROM inputs WHERE job_id = old.id;
  END;
  `,`
  CREATE TABLE costs (
    job_id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    model TEXT NOT NULL,
    provider TEXT,
    outcome TEXT NOT NULL,
    cost_usd REAL,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER NOT NULL
  );
  CREATE INDEX costs_of_owner ON costs (owner, ended_at, job_id);
  CREATE TRIGGER job_ends_with_its_cost AFTER UPDATE OF phase ON jobs
  WHEN new.phase IN ('completed', 'failed') AND old.phase NOT IN ('completed', 'failed')
    AND new.job ->> '$.completedAt' IS NOT NULL
  BEGIN
    INSERT OR REPLACE INTO costs VALUES (
      new.id, new.owner, new.job ->> '$.model', new.job ->> '$.provider', new.phase,
      CASE WHEN new.job ->> '$.isCostKnown' OR new.job ->> '$.costUsd' > 0 THEN new.job ->> '$.costUsd' END,
      new.job ->> '$.createdAt', new.job ->> '$.startedAt', new.job ->> '$.completedAt'
    );
  END;
  `,`
  CREATE INDEX jobs_of_owner ON jobs (owner, id);
  `,`
  ALTER TABLE costs ADD COLUMN outputs INTEGER;
  CREATE INDEX costs_by_end ON costs (ended_at, job_id);
  DROP TRIGGER job_ends_with_its_cost;
  CREATE TRIGGER job_ends_with_its_cost AFTER UPDATE OF phase ON jobs
  WHEN new.phase IN ('completed', 'failed') AND old.phase NOT IN ('completed', 'failed')
    AND new.job ->> '$.completedAt' IS NOT NULL
  BEGIN
    INSERT OR REPLACE INTO costs VALUES (
      new.id, new.owner, new.job ->> '$.model', new.job ->> '$.provider', new.phase,
      CASE WHEN new.job ->> '$.isCostKnown' OR new.job ->> '$.costUsd' > 0 THEN new.job ->> '$.costUsd' END,
      new.job ->> '$.createdAt', new.job ->> '$.startedAt', new.job ->> '$.completedAt',
      CASE WHEN new.phase = 'completed' THEN json_array_length(new.job, '$.outputs') ELSE 0 END
    );
  END;
  `];import{closeSync as t0,fchmodSync as n0,openSync as o0}from"node:fs";var Bf=384;function Cn(e,t=Bf){let n;try{n=o0(e,"wx",Bf)}catch{return}try{n0(n,t)}finally{t0(n)}}async function Df(e){let{DatabaseSync:t}=await mt();return Te(()=>{Cn(e);let n=new t(e);try{return r0(n),s0(n),n}catch(o){throw n.close(),o}})}function r0(e){e.prepare("BEGIN IMMEDIATE").run();let t=Number(
e.prepare("PRAGMA user_version").get()?.user_version);if(t>Pn.length)throw new Error(`its schema has version ${t}, and this release knows ${Pn.length}; use the release of @genmount/backend-sqlite that\
 wrote it, or a newer one`);for(let n of Pn.slice(t))e.exec(n);e.exec(`PRAGMA user_version = ${Pn.length}`),e.prepare("COMMIT").run()}function s0(e){if(e.prepare("PRAGMA journal_mode = WAL").get()?.journal_mode!==
"wal")throw new Error("its file system can not share a write-ahead log between processes; give a path on a disk of this machine");e.exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0"),e.
prepare("SELECT count(*) FROM sqlite_schema").get()}import{existsSync as Ti,statSync as i0}from"node:fs";var Wf="it was removed while it was in use";function qf(e){let t=`${e}-wal`,n=`${e}-shm`,o=[e,t,n],[r,s,i]=o.map(_n);return{identities:Object.fromEntries(
o.map(a=>[a,String(_n(a))])),change(){let a=_n(e),c=_n(t)===s;if(a===void 0)return{what:Wf,mayReopen:!1};if(a===r)return c?void 0:{what:`${t} was removed while it was in use`,mayReopen:!0};let d=[...c?
[t]:[],..._n(n)===i?[n]:[]],u="it was replaced while it was in use";return d.length===0?{what:u,mayReopen:!0}:{what:`${u}, and ${d.join(" and ")} must be removed too`,mayReopen:!1}}}}function Gf(e){return Ti(
e)?Ti(`${e}-shm`)&&!Ti(`${e}-wal`)?`${e}-wal was removed while it was in use, and other processes have it open`:void 0:Wf}function _n(e){let t=i0(e,{bigint:!0,throwIfNoEntry:!1});return t&&`${t.dev} ${t.
ino}`}function Mn(e,t,n=a0(t)){return new Error(`The job database ${e} can't be used: ${n}.`,{cause:t})}function a0(e){return e instanceof Error?e.message:String(e)}import{closeSync as c0,fdatasync as d0,openSync as u0,readSync as Hf}from"node:fs";import{promisify as l0}from"node:util";var rr=1e3;function Vf(e,t,n,o=l0(d0)){let r=u0(`${t}-wal`,"r+"),s=e.prepare(`
    SELECT total_changes() AS ours, (SELECT data_version FROM pragma_data_version) AS theirs`),i="",a=!1,c,d,u,l=rr;function p(){let{ours:b,theirs:g}=s.get()??{};return`${b} ${g}`}async function f(){let b=await Te(
p);a&&await n.emptyLog();try{await o(r)}catch(g){throw a=!0,g}a=!1,i=b,y(l)&&(u??=m().catch(()=>{}).finally(()=>u=void 0))}async function m(){await n.restartLog().catch(()=>e.exec("PRAGMA wal_checkpoi\
nt(PASSIVE)")),l=y(rr)?l+rr:rr}function y(b){let g=Buffer.alloc(24);if(Hf(r,g,0,24,0)<24)return!1;let w=Buffer.alloc(8),x=32+(b-1)*(24+g.readUInt32BE(8));return Hf(r,w,0,8,x+8)===8&&w.equals(g.subarray(
16))}function h(){return d??=(c??Promise.resolve()).then(()=>{d=void 0;let b=f();return c=b.catch(()=>{}).finally(()=>c=void 0),b}),d}return{async kept(){(await Te(p)!==i||a)&&await h()},writable:async()=>u,
async close(){await u,c0(r)}}}async function Kf(e){let t=await Df(e);try{let n=qf(e),o=Nf(e,n.identities),r=Vf(t,e,o),s=Ff(t);async function i(){await r.kept();let c=n.change();if(c!==void 0)throw Mn(e,c.what)}let{write:a}=If(t,r.
writable,i);return{files:n,glance:c=>Te(()=>c(s)),async read(c){let d=await Te(()=>c(s));return await i(),d},write:c=>a(()=>c(s)),async close(){await r.close(),t.close(),await o.close()}}}catch(n){throw t.
close(),n}}import{existsSync as sr,rmSync as zf,statSync as p0}from"node:fs";function Jn(e,t){return`${e}-process-${t}`}async function Yf(e,t){let{DatabaseSync:n}=await mt(),o=Jn(e,t),r=()=>(Cn(o,p0(e).mode&438),new n(o)),s=await Te(()=>Zf(r,o));return{isThere:()=>sr(o),release(){
s.close(),zf(o,{force:!0})}}}async function Qf(e){if(!sr(e))return!0;let{DatabaseSync:t}=await mt();try{let n=new t(e,{readOnly:!0});try{return n.exec("PRAGMA busy_timeout = 0"),n.prepare("SELECT coun\
t(*) FROM sqlite_schema").get(),!0}finally{n.close()}}catch{return!sr(e)}}async function Xf(e){let{DatabaseSync:t}=await mt();try{let o=Zf(()=>(Cn(e),new t(e)),e);zf(e,{force:!0}),o.close()}catch{}}function Zf(e,t){
for(;;){let n=e();try{if(n.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE"),sr(t))return n;n.close()}catch(o){throw n.close(),o}}}import{accessSync as em,constants as f0,statSync as Pi}from"node:fs";import{dirname as m0,isAbsolute as y0,join as h0}from"node:path";function tm(e,t){let{message:n=""}=t;if(/unable to open database file|readonly database/.
test(n))return g0(e);if(n.includes("file is not a database"))return"it is not a SQLite database; give the path of another file, or move this one away";if(n.includes("malformed"))return`it is damaged (${n}\
); put a backup in its place`}function g0(e){let t=m0(e),n=y0(e)?"":` (the working directory is ${process.cwd()})`,o=Ci(()=>Pi(t));if(o==="ENOENT")return`the folder ${t} does not exist; create it${n}`;
if(o==="ENOTDIR"||!o&&!Pi(t).isDirectory())return`${t} is not a folder; give another path${n}`;if(Pi(e,{throwIfNoEntry:!1})?.isDirectory())return`it is a folder; give the path of a file, such as ${h0(
e,"jobs.db")}`;let{R_OK:r,W_OK:s,X_OK:i}=f0,a=[{path:`the folder ${t}`,fault:Ci(()=>em(t,r|s|i))},{path:"it",fault:Ci(()=>em(e,r|s))}].find(c=>c.fault!==void 0&&c.fault!=="ENOENT");if(a)return a.fault===
"EROFS"?`its disk is read-only; give a path on another disk${n}`:`this process may not write to ${a.path}; give its user the right, or give another path${n}`}function Ci(e){try{e();return}catch(t){return t.
code??"unknown"}}function nm(e,t){let n=new Set,o,r,s,i,a;async function c(){if(a)throw new Error(`The job database ${e} has been closed.`);o??=d().catch(h=>{throw o=void 0,h});let m=await o,y=m.files.change();if(y===
void 0)return m;throw y.mayReopen&&r!==m&&(r=m,o=void 0,s=l(m).catch(()=>{})),Mn(e,y.what)}async function d(){await mt();try{await s;let m=r&&Gf(e);if(m!==void 0)throw new Error(m);let y=await Kf(e);return await u().
catch(async h=>{throw await y.close(),h}),y}catch(m){throw Mn(e,m,tm(e,m))}}async function u(){i?.isThere()||(i?.release(),i=await Yf(e,t))}async function l(m){await Promise.allSettled(n),await m.close()}
async function p(){await Promise.allSettled(n),await s,await(await o)?.close(),i?.release()}function f(m){let y=c().then(m);n.add(y);let h=()=>{n.delete(y)};return y.then(h,h),y}return{read:m=>f(({read:y})=>y(
m)),glance:m=>f(({glance:y})=>y(m)),write:m=>f(({write:y})=>y(m)),close:()=>a??=p()}}function om(e){let{provider:t,cost_usd:n,outputs:o,started_at:r}=e;return{job:String(e.job_id),owner:String(e.owner),model:String(e.model),...t!==null&&{provider:String(t)},outcome:e.outcome==="comple\
ted"?"completed":"failed",...n!==null&&{costUsd:Number(n)},...o!==null&&{outputs:Number(o)},createdAt:Number(e.created_at),...r!==null&&{startedAt:Number(r)},endedAt:Number(e.ended_at)}}import{LRUCache as b0}from"lru-cache";var w0=64*2**20,k0={};function rm(){let e={task:new WeakMap,input:new WeakMap},t=new b0({maxSize:w0});function n(o,r){return r&&e[o].get(r)}return{of:o=>t.get(o)??
k0,placeOf:n,place:(o,r,s)=>{e[o].set(r,s)},keep(o,r){let{task:s,input:i}=r,a=i===s?0:n("input",i)?.length,c=(n("task",s)?.length??0)+(a??0);c>0?t.set(o,r,{size:c}):t.delete(o)}}}var x0=8192,v0={task:{find:"taskRow",remove:"deleteTask",insert:"insertTask"},input:{find:"inputRow",remove:"deleteInput",insert:"insertInput"}};function sm(){let e=rm();function t(s,i){return i&&!e.placeOf(
s,i)?JSON.stringify(i):void 0}function n(s,i,a,c){let d=e.placeOf(s,fe(a))?.row,{find:u,remove:l,insert:p}=v0[s];return f=>{if(d!==void 0&&f[u].get(i)?.id===d||(f[l].run(i),!a))return;let m=c??JSON.stringify(
a);return{row:Number(f[p].run(i,m).lastInsertRowid),length:m.length}}}function o(s,i,a){i&&a&&e.place(s,i,a)}function r(s,i,a,c){let d=i[`${s}_row`];if(d===null)return;if(i[s]===null&&a)return a;let u=String(
i[s]),l=c&&u===i.task?c:fe(JSON.parse(u));return e.place(s,l,{row:Number(d),length:u.length}),l}return{separate({task:s,...i}){let{id:a}=i,c=t("input",i.input),d=c===void 0||c.length>=x0?i.input:void 0,
u=n("task",a,s,s===i.input?c:t("task",s)),l=n("input",a,d,c);return{rest:d?{...i,input:{}}:i,write(p){let f={task:u(p),input:l(p)};return()=>{o("task",s,f.task),o("input",d,f.input),(f.task||f.input||
!s)&&e.keep(a,{task:s,input:d})}}}},known(s){let i=e.of(s),a=e.placeOf("task",i.task)?.row??null;return{parts:i,rows:[a,e.placeOf("input",i.input)?.row??null]}},join(s,i){let a=JSON.parse(String(s.job)),
c=r("task",s,i?.task),d=r("input",s,i?.input,c);return c&&(a.task=c),d&&(a.input=d),(c!==i?.task||d!==i?.input)&&e.keep(a.id,{task:c,input:d}),a},forget:s=>e.keep(s,{})}}function am(e){let t=sm();return{async insert(n){let{id:o,owner:r,createdAt:s}=n,i=n.idempotency?.key??null,{rest:a,write:c}=t.separate(n),d=[...im(a),o,r,i],{holder:u,keep:l}=await e.write(p=>(p.freeExpiredKey.
run(i,s),p.insert.run(...d).changes===1?{keep:c(p)}:{holder:p.holderOfKey.get(null,null,i,s)}));return l?.(),u?{outcome:"duplicate",job:t.join(u)}:{outcome:"inserted"}},async findByIdempotencyKey(n,o){
let r=await e.read(({holderOfKey:s})=>s.get(null,null,n,o));return r&&t.join(r)},async get(n,o){let r=t.known(n),s=await e.read(({get:i})=>i.get(...r.rows,n,o??null));return s&&t.join(s,r.parts)},async replace(n,o){
let{rest:r,write:s}=t.separate(n),i=[...im(r),n.id,o],a=await e.write(c=>c.replace.run(...i).changes===1?s(c):void 0);return a?.(),a?"replaced":"stale"},async due(n,o,r=0){let s=n+Z;return(await e.glance(
({due:a})=>a.all({now:n,farAhead:s,limit:o,skip:r}))).map(({id:a})=>String(a))},async expired(n,o){return(await e.read(({expired:s})=>s.all(null,null,n,o))).map(s=>t.join(s))},async list({owner:n,from:o="",
before:r=S0,limit:s,maxLength:i}){return(await e.read(c=>{let d={owner:n,from:o,before:r,limit:s},u=c.lengths.all(d).map(({length:l})=>Number(l));return c.list.all({...d,limit:E0(u,i)})})).map(({job:c,
input:d})=>{let u=JSON.parse(String(c));return d===null?u:{...u,input:JSON.parse(String(d))}})},async delete(n){await e.write(o=>{o.delete.run(n),o.deleteTask.run(n)}),t.forget(n)},async costs({owner:n,
from:o,to:r,after:s,limit:i}){let a={from:o,to:r,limit:i,afterEnd:s?.endedAt??o,afterJob:s?.job??""};return(await e.read(({costs:d,costsOfAll:u})=>n===void 0?u.all(a):d.all({...a,owner:n}))).map(om)}}}
var S0="\u{10FFFF}";function E0(e,t){let n=0,o=e.findIndex((r,s)=>(n+=r)>t&&s>0);return o<0?e.length:o}function im(e){let{phase:t,revision:n,dueAt:o,claimedUntil:r,expiresAt:s,deleteAt:i}=e;return[t,n,
...[o??null,r??null,s,i??null],JSON.stringify(e)]}import{readdir as R0}from"node:fs/promises";import{basename as O0,dirname as A0}from"node:path";var T0=/^[\w-]+$/;function cm(e,t,n,o){async function r(i){return i!==t&&T0.test(i)&&Qf(Jn(e,i))}async function s(){let i=O0(Jn(e,"")),c=(await R0(A0(e))).filter(u=>u.startsWith(i)).map(u=>u.slice(i.length)),
d=await Promise.all(c.map(r));return c.filter((u,l)=>d[l])}return{id:t,hasEnded:r,async leftBehind(i){let a=await s();if(a.length===0)return[];let c=o.now(),d={gone:JSON.stringify(a),now:c,farAhead:c+
Z,limit:i},u=await n.glance(({leftBehind:l})=>l.all(d));if(u.length<i){let l=new Set(u.map(({process:f})=>f)),p=a.filter(f=>!l.has(f));await Promise.all(p.map(f=>Xf(Jn(e,f))))}return u.map(l=>String(l.
id))}}}var P0=500,dm=500;function um(e,t){let n=Ke(),o=new Set,r,s=!1,i=!1,a=()=>{};function c(){i||s||o.size===0||(a=t.after(P0,()=>{d()}))}async function d(){s=!0,await u().catch(()=>{}),s=!1,c()}async function u(){
let l=await e.glance(({fileVersion:f})=>f.get()?.data_version);if(l===r)return;let p=[...o];for(let f=0;f<p.length;f+=dm){let m=p.slice(f,f+dm),y=JSON.stringify(m.map(({jobId:g})=>g)),h=await e.glance(
({revisions:g})=>g.all(y)),b=new Map(h.map(({id:g,revision:w})=>[g,w]));for(let g of m){let w=b.get(g.jobId);w===g.revision||!o.has(g)||(g.revision=w,g.wake())}await new Promise(g=>setImmediate(g))}r=
l}return{publish:n.publish,news:n.news,subscribe(l,p){let f={jobId:l,wake:p,revision:null},m=n.subscribe(l,p);return o.add(f),o.size===1&&c(),()=>{m(),o.delete(f),o.size===0&&a()}},async close(){i=!0,
a()}}}var C0={file:B("the path of a database file",e=>e.trim()!==""&&!/^(:memory:|file:)/i.test(e)),clock:R(He)};function _i(e){let{file:t,clock:n=ye()}=$("sqliteBackend",e,C0),o=crypto.randomUUID(),r=nm(t,
o),s=Rt(n),i=um(r,n);return{jobs:am(r),scheduler:s,signals:i,processes:cm(t,o,r,n),durable:!0,ready:()=>r.read(()=>{}),async close(){await i.close(),await s.stop(),await r.close()}}}import{Queue as L0,Worker as N0}from"bullmq";var lm=1e4,_0=500,M0=1e3,J0=ye();function ir(e,t){let n=new Map,o,r=!1;async function s(){for(await void 0;n.size>0;){let c=i();try{await e(c)}catch(d){t(d),a(c),await yt(M0)}}o=void 0}function i(){let c=new Map;
for(let[d,u]of n)if(c.set(d,u),n.delete(d),c.size===_0)break;return c}function a(c){if(!r)for(let[d,u]of c)!n.has(d)&&n.size<lm&&n.set(d,u)}return{put(c,d){if(r)return;n.delete(c);let{value:u}=n.keys().
next();u!==void 0&&n.size>=lm&&n.delete(u),n.set(c,d),o??=s()},async end(c){await Promise.race([o,yt(c)]),r=!0,n.clear()}}}function yt(e){return new Promise(t=>{J0.after(e,t)})}function ar(e,t){let n=-1/0;return o=>{let r=performance.now();if(!(r-n<6e4)){n=r;try{e.warn(`Redis does not work as it should. ${t}`,{cause:o})}catch{}}}}var pm=1e3,fm=5e3,I0=20,mm=5e3,$0=(e,t)=>{let n=pe(e,t," such as { url: 'redis://host:6379' } or { host, port }");if(typeof n.duplicate=="function")throw new TypeError(`${e} must be the options of a c\
lient, such as { host, port }, not a client.`);return"url"in n&&B("the URL of a Redis server",/^rediss?:\/\//)(`${e}.url`,n.url),n},U0={connection:$0,queue:R(B("the name of a queue, without a colon",/^[^:]+$/),
"genmount"),log:R(bt)};function Mi(e){let t=$("bullmqScheduler",e,U0),{queue:n,log:o=console}=t,r=ar(o,"Until it does, jobs are found by the sweep of the job store, a second late."),s={retryStrategy:y=>Math.
min(y*50,2e3),disconnectTimeout:500,...t.connection,maxRetriesPerRequest:null,autoResendUnfulfilledCommands:!0,enableOfflineQueue:!0},i=new Map,a=[],c,d,u=()=>d!==void 0,l=y=>{u()||r(y)},p=ir(async y=>{
c&&await f(j0(c.queue,y))},l);async function f(y){let h=y.then(()=>!0);for(h.catch(()=>{});!u()&&!await Promise.race([h,yt(fm)]);){l(new Error(`Redis has not answered for ${fm} ms.`));for(let b of a)b.
status==="ready"&&b.disconnect(!0)}}async function m(){if(i.clear(),await p.end(pm),!c)return;let{queue:y,worker:h}=c;await Promise.race([Promise.allSettled([h.close(),y.close()]),yt(pm)]);for(let b of[
y,h])b.disconnect().catch(()=>{})}return{start(y){if(u()||c)return;let h=new L0(n,{connection:s,streams:{events:{maxLen:1e3}}}),b=new N0(n,async()=>{},{connection:s,concurrency:I0,runRetryDelay:1e3,lockDuration:mm,
stalledInterval:mm,skipLockRenewal:!0});h.on("error",l),b.on("error",l),b.on("completed",({id:g})=>{!u()&&g&&y(B0(g))}),c={queue:h,worker:b};for(let g of[h,b])g.client.then(w=>a.push(w)).catch(()=>{});
for(let[g,w]of i)p.put(g,w);i.clear()},wakeAt(y,h){u()||(c?p.put(y,h):i.set(y,h))},stop:()=>d??=m()}}async function j0(e,t){let n=Date.now(),o=Array.from(t,([r,s])=>({name:"wake",data:{},opts:{jobId:F0(
r),timestamp:n,delay:Math.max(0,s-n),removeOnComplete:!0,removeOnFail:!0}}));await Promise.all([...o.map(({opts:r})=>e.remove(r.jobId)),e.addBulk(o)])}function F0(e){return`job-${e.replaceAll(/[%:]/g,
encodeURIComponent)}`}function B0(e){return decodeURIComponent(e.slice(4))}var D0=1500,W0=1e3,q0=100,ym=50,G0=10,H0=(e,t)=>{let n=" such as new Redis() of ioredis",o=pe(e,t,n);if(typeof o.publish=="function"&&typeof o.duplicate=="function")return o;throw new TypeError(`${e} \
must be a client${n}: it lacks publish or duplicate.`)},V0={client:H0,channel:R(B(),"genmount"),log:R(bt)};function Ji(e){let{client:t,channel:n,log:o=console}=$("redisSignals",e,V0),r=Ke(),s=crypto.randomUUID(),
i=ar(o,"Until it does, whoever waits for a job of another node learns of its end up to 3 seconds late."),a=new Map,c,d=!1,u=!1,l=!1,p=!1,f=!1,m=0,y=k=>{f||i(k)},h=ir(k=>t.publish(n,JSON.stringify([s,...k.
keys()])),y);function b(){let k=t.duplicate();return k.on("message",(E,S)=>{let{from:O,jobIds:P=[],jobId:T,news:J}=K0(S);if(O===s)return;for(let I of P)r.publish(I);let _=At(J??{});_&&r.news.publish(String(
T),_)}),k.on("close",()=>l=!1),k.on("error",E=>{l=!1,y(E)}),k}async function g(){for(d=!0;a.size>0;)u?(l=!1,x()):w(),await yt(D0);d=!1}async function w(){u=!0;try{c??=b(),await c.subscribe(n),l||x(),l=
!0}catch(k){l=!1,y(k),x()}u=!1}async function x(){if(p)return;p=!0;let k=[...a.keys()];for(let E=0;E<k.length;E+=ym){for(let S of k.slice(E,E+ym))r.publish(S);await yt(G0)}p=!1}function A(k,E){if(f)return E;
a.set(k,(a.get(k)??0)+1),d||g();let S=!1;return()=>{if(S)return;S=!0,E();let O=(a.get(k)??0)-1;O>0?a.set(k,O):a.delete(k)}}return{publish(k,E){r.publish(k,E),h.put(k,void 0)},subscribe:(k,E)=>A(k,r.subscribe(
k,E)),news:{publish(k,E){if(r.news.publish(k,E),f||m>=q0)return;m++;let S=()=>{m--},O=`{"from":"${s}","jobId":${JSON.stringify(k)},"news":${yn(E)}}`;t.publish(n,O).then(S,P=>{S(),y(P)})},subscribe:(k,E)=>A(
k,r.news.subscribe(k,E))},async close(){f||(await h.end(W0),f=!0,a.clear(),c?.disconnect())}}}function K0(e){try{let t=JSON.parse(e);if(Array.isArray(t)){let[s,...i]=t.map(String);return{from:s,jobIds:i}}
let{from:n,jobId:o,news:r}=t??{};return{from:n,jobId:o,news:r}}catch{return{}}}import{Redis as z0}from"ioredis";import Y0 from"pg";function hm({database:e,redis:t},n){if(!e.startsWith("postgres:"))return _i({file:e,clock:n});let o=new Y0.Pool({connectionString:e});if(o.on("error",
()=>{}),!t)return or({pool:o,clock:n});let r=Mi({connection:{url:t}});return or({pool:o,scheduler:r,signals:Ji({client:new z0(t)})})}function gm(e){let t={jobs:Number.NEGATIVE_INFINITY,files:Number.NEGATIVE_INFINITY},n=(o,r)=>async(...s)=>{if(e.uptime()<t[o])throw new Error(`The store of ${o} is away.`);return r(...s)};return{begin(o,r){
t[o]=e.uptime()+r},backend(o){let{jobs:r}=o;return{...o,jobs:{...r,insert:n("jobs",r.insert),findByIdempotencyKey:n("jobs",r.findByIdempotencyKey),get:n("jobs",r.get),replace:n("jobs",r.replace),due:n(
"jobs",r.due),expired:n("jobs",r.expired),delete:n("jobs",r.delete)}}},files(o){return{...o,put:n("files",o.put),...o.open&&{open:n("files",o.open)},delete:n("files",o.delete)}}}}import{readFileSync as Q0}from"node:fs";var X0=250;function wm(e){let t=bm();setInterval(()=>{let n=bm();e(Math.round(n-t)),t=n},X0).unref()}function bm(){try{return Number(Q0("/proc/self/schedstat","\
utf8").split(" ")[1])/1e6}catch{return 0}}var cr="https://service.example";var{places:lr,vendor:xm,receiver:km,keys:nS,linkSecret:oS,...pr}=JSON.parse(ur.argv[2]??""),Ni=Dp(pr.clock),Li=qp(pr.killAt,lr.deaths),vm=Np(xm.address),rS=Ds({folder:lr.files,fetch:vm}),Ii=gm(Ni),sn=Up(
lr.diary);wm(e=>sn({what:"waited",forMs:e}));var Ln;function Sm({store:e,forMs:t}){Ii.begin(e,t),sn({what:"outage",store:e,forMs:t/pr.clock.speed})}function sS(e,t){sn({what:e,jobId:t}),e==="answer"&&
(Ln&&Sm(Ln),Ln=void 0)}function iS({id:e,phase:t,revision:n,abandonedClaims:o=0}){sn({what:"write",jobId:e,phase:t,revision:n,deaths:o})}function aS(e){sn({what:"row deleted",jobId:e})}function cS(e,t){
sn({what:e,jobId:t.replace(/-\d+$/,""),key:t})}var $i=Ts({providers:Jp.map(e=>Vp(jp($p(e,xm),sS),Li)),backend:Ii.backend(Hp(Fp(hm(lr,Ni),iS,aS),Li)),files:Ii.files(Kp({...Bp(rS,cS),fetch:vm},Li)),callbackBaseUrl:cr,
webhooks:gi({baseUrl:cr,secretsOf:()=>km.secret,fetch:Mp(km.address)}),uploads:{retentionHours:pr.uploadHours},deadlineMs:1440*6e4,clock:Ni});$i.start();var dS=mi($i,{authenticate:Xt(nS),baseUrl:cr,linkSecret:oS}),
dr=Z0(dS);dr.listen(0,"127.0.0.1",()=>{console.log(JSON.stringify({port:dr.address().port})),eS.flushCompileCache?.()});async function uS(){let e=new Promise(t=>dr.close(t));await $i.close(),setInterval(
()=>dr.closeIdleConnections(),50),await e,ur.exit()}var Em=tS({input:ur.stdin});Em.on("line",e=>{if(e==="close")return void uS();let t=JSON.parse(e);Ln=t.afterNextAnswer?t:void 0,Ln||Sm(t)});Em.on("cl\
ose",()=>ur.exit());
