using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Manifests;
using Wire.Sessions;

namespace Wire;

/// <content>Roots: messages that begin alike are recognized by their first bytes.</content>
public sealed partial class DeserializerSession
{
    /// <summary>The root of a typed message; that of the last one is found without a look-up.</summary>
    internal TypedRoot<T> TypedRoot<T>()
    {
        if (_lastTypedRoot is TypedRoot<T> root)
        {
            return root;
        }

        // The two are of one type: a message that fails is passed over by the root of what was asked for.
        _lastTypedReader = null;
        _lastTypedRoot = root = Serializer.Registry.TypedRoot<T>();
        return root;
    }

    /// <summary>Remembers how the last typed message began.</summary>
    internal void RememberTyped<T>()
    {
        // A message of the other kind than the session's begins in another way.
        _lastTypedReader = _isNumbered == IsLasting && _lastTypedRoot is TypedRoot<T> { IsCollectible: false } root ? root.ReaderFor(this) : null;
        if (_lastTypedReader is { Flat: not null } flat)
        {
            Serializer.RememberTyped(flat);
        }
    }

    /// <summary>What reads the payload, if it begins as the last message did and is asked for as the same type.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal RootReader? FindRoot<T>(ReadOnlySpan<byte> payload) =>
        !_ownThread ? _manifests.FindRoot<T>(payload)
        : _lastRoot is RootReader<T> root && root.Begins(payload) ? root
        : null;

    /// <summary>The same for a typed message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal RootReader? FindTypedRoot<T>(ReadOnlySpan<byte> payload) =>
        _lastTypedReader is RootReader<T> root && root.Begins(payload) ? root : null;

    /// <summary>Reads a message whose beginning is known.</summary>
    internal object ReadRoot(RootReader root, ReadOnlySpan<byte> payload, bool whole, out int unread)
    {
        CheckFree();
        _busy = true;
        _manifests.Keep();
        _isNumbered = IsLasting;
        object value;
        var reader = new WireReader(this, payload, null);
        try
        {
            Path.Begin(_ownThread);
            _budget = root.Left;
            reader.Take(root.PrefixLength);
            if (!root.HoldsNoObjects)
            {
                BeginGraph(root);
            }

            value = root.Read(ref reader);
            // What goes wrong from here on is no member's fault.
            reader.Member = GraphPath.Root;
            unread = reader.Unread;
            CheckEnd(ref reader, unread, whole);
            if (!root.HoldsNoObjects)
            {
                EndGraph(ref reader);
            }
        }
        catch (Exception e)
        {
            Fail(e, ref reader, payload, null, whole);
            throw;
        }

        _busy = false;
        return value;
    }

    private void BeginGraph(RootReader root)
    {
        if (!ReferenceEquals(RootType, root.Asked))
        {
            RootType = root.Asked;
        }

        Path.EnterRoot();
        if (root.Defined is { } manifest)
        {
            _manifests.Add(manifest);
        }
    }

    /// <summary>Reads a root behind the tag of its manifest.</summary>
    internal object ReadRoot(ref WireReader reader, byte tag)
    {
        byte header = (byte)(Header.Version | (IsTracking ? Header.References : 0) | (_isNumbered ? Header.Session : 0));
        int defined = _manifests.Count;
        Manifest manifest = _manifests.Read(ref reader, tag, _isNumbered, out int identifier);
        ValueSerializer serializer = manifest.Serializer(this, null);
        object value = ReadBody(ref reader, serializer);

        // A message that stands alone has no identifier.
        if (!IsTrusted && !HasCollectibleRoot && !_isOther && (!_ownThread || identifier == defined) && manifest.IsRootAgain(serializer))
        {
            _beginning = (manifest, serializer, header, identifier);
        }

        return value;
    }

    /// <summary>Remembers how the last message began, now that its value has turned out to be what was asked for.</summary>
    internal void RememberRoot<T>()
    {
        if (_beginning is { } root)
        {
            RememberRoot<T>(root);
        }
    }

    private void RememberRoot<T>((Manifest Manifest, ValueSerializer Serializer, byte Header, int Identifier) root)
    {
        _beginning = null;
        if (!ObjectFormat.AlwaysFits<T>(root.Serializer))
        {
            return;
        }

        if (!_ownThread)
        {
            // A session that goes on never sees the same definition again, but its identifier.
            if (root.Identifier < Tag.ShortIdentifiers)
            {
                RootReader? reader = root.Manifest.RootReader<T>(root.Header, root.Serializer, isLater: true);
                _manifests.AddRoot(root.Identifier, root.Manifest, reader);
            }

            return;
        }

        _lastRoot = root.Manifest.RootReader<T>(root.Header, root.Serializer, isLater: false);
        if (_lastRoot is { Flat: not null } flat)
        {
            Serializer.Remember(flat);
        }
    }
}
