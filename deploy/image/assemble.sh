#!/bin/sh
# Assembles the root of the image from the build stage:
#   $1/root: Node, the C libraries that it needs, and the program; root owns all of it
#   $1/data: the empty data folder
# Packages keep their records in var/lib/dpkg/status.d, so that scanners find them.
set -eu

out=$1
root=$out/root
mkdir -p "$root/usr/local/bin" "$root/usr/lib" "$root/var/lib/dpkg/status.d" "$root/etc" "$root/app"
mkdir -p "$root/proc" "$root/sys" "$root/dev" "$out/data"
mkdir -m 1777 "$root/tmp"
ln -s usr/lib "$root/lib"
if [ -e /usr/lib64 ]; then
  mkdir "$root/usr/lib64"
  ln -s usr/lib64 "$root/lib64"
fi

# Of each package the libraries and the licence. Its converters of character sets are not needed.
for package in base-files libc6 libgcc-s1 libstdc++6 libatomic1; do
  dpkg -L "$package" |
    grep -E '^/(usr/)?lib(64)?/.*\.so|/copyright$|^/etc/(os-release|debian_version)$|^/usr/lib/os-release$' |
    grep -v /gconv/ |
    tar -cf - -P --no-recursion -T - | tar -xf - -P --transform "s|^/|$root/|" --transform "s|^$root/lib|$root/usr/lib|"
  dpkg-query -s "$package" >"$root/var/lib/dpkg/status.d/$package"
done

printf 'root:x:0:0:root:/:/sbin/nologin\ntapeworks:x:10001:10001:Tapeworks:/data:/sbin/nologin\n' >"$root/etc/passwd"
printf 'root:x:0:\ntapeworks:x:10001:\n' >"$root/etc/group"
printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"

cp /usr/local/bin/node "$root/usr/local/bin/node"
strip --strip-unneeded "$root/usr/local/bin/node"

cp -R bin dist data NOTICE LICENSE package.json node_modules deploy/image/healthcheck.js "$root/app"
cd "$root/app"
# The Node of the image takes the place of the packages of Node.
rm -rf node_modules/node-linux-* node_modules/node-bin-* node_modules/.cache node_modules/.bin
# The compiler is an optional peer of a package; nothing is compiled here.
rm -rf node_modules/typescript node_modules/@typescript
# Types, sources and source maps: the program reads none of them.
find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \
  -o -name '*.tsbuildinfo' -o -iname 'readme*.md' -o -iname 'changelog*.md' -o -iname 'history.md' \) -delete
find node_modules -name libduckdb.so -exec strip --strip-unneeded {} +
# The image has no env that would look Node up.
sed -i '1s|.*|#!/usr/local/bin/node|' bin/tapeworks.js
chmod 755 bin/tapeworks.js
ln -s /app/bin/tapeworks.js "$root/usr/local/bin/tapeworks"
chown -R 0:0 "$root"
chmod -R go-w,a+rX "$root/app"
