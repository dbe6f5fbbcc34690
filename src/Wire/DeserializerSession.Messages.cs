using System.Runtime.CompilerServices;
using Wire.Buffers;
using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Plans;
using Wire.Sessions;
using Wire.Sessions.Objects;
using Wire.Skipping;
using Wire.Values;

namespace Wire;

/// <content>Reading of one message, and messages of the kind that the session does not expect.</content>
public sealed partial class DeserializerSession
{
    /// <summary>Reads one value.</summary>
    /// <param name="type">The requested type.</param>
    /// <param name="isTyped">True if both sides know the type of the root, a <typeparamref name="T"/>.</param>
    /// <param name="window">The first bytes.</param>
    /// <param name="input">Where more come from.</param>
    /// <param name="whole">True if nothing may follow the value.</param>
    /// <param name="unread">What is left of the last window.</param>
    internal T Read<T>(Type type, bool isTyped, ReadOnlySpan<byte> window, Input? input, bool whole, out int unread)
    {
        BeginMessage(type);
        var reader = new WireReader(this, window, input);
        try
        {
            Path.Start(_ownThread);
            T value = MessageRoot<T>.Read(ref reader, isTyped);
            unread = reader.Unread;
            _end = reader.Offset;
            CheckEnd(ref reader, unread + (input?.Left ?? 0), whole);
            EndGraph(ref reader);
            input?.EndValue(unread);
            return value;
        }
        catch (Exception e)
        {
            Fail(e, ref reader, window, input, whole);
            throw;
        }
    }

    /// <summary>Reads the value that a path leads to.</summary>
    /// <param name="path">The path, for errors.</param>
    /// <param name="steps">Its steps, at least one.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="value">The value.</param>
    /// <returns>False where there is none.</returns>
    internal bool TryReadPart<T>(string path, ReadOnlySpan<PathStep> steps, ReadOnlySpan<byte> payload, out T? value)
    {
        BeginMessage(typeof(T));
        var reader = new PartReader(this, payload);
        try
        {
            bool isThere;
            bool needsAll = false;
            try
            {
                isThere = TryReadPart(ref reader, path, steps, readsAll: false, out value);
                // Unknown members are carried over with the objects that they refer to.
                needsAll = IsTracking && _rest?.Kept?.RefersToSkipped() == true;
            }
            catch (WireFormatException e) when (IsTracking && (e.Error == WireFormatError.Reference || _objects.HasReadAgain))
            {
                // It refers to objects that it is inside of, or needs others in the order of the payload.
                (isThere, needsAll, value) = (false, true, default);
            }

            if (needsAll)
            {
                _rest = null;
                Forget();
                BeginMessage(typeof(T));
                reader = new PartReader(this, payload);
                isThere = TryReadPart(ref reader, path, steps, readsAll: true, out value);
            }

            CheckEnd(ref reader.In, 0, whole: false);
            EndGraph(ref reader.In);
            return isThere;
        }
        catch (Exception e)
        {
            Fail(e, ref reader.In, payload, null, whole: true);
            throw;
        }
        finally
        {
            Path.Prefix = "";
        }
    }

    private bool TryReadPart<T>(ref PartReader reader, string path, ReadOnlySpan<PathStep> steps, bool readsAll, out T? value)
    {
        Path.Start(_ownThread);
        Path.Prefix = "";
        value = default;
        if (!reader.TryFind(steps, readsAll))
        {
            return false;
        }

        Path.Prefix = path;
        value = reader.Read<T>();
        return true;
    }

    /// <summary>Passes over the root, to know the types that it defines.</summary>
    internal void PassOver(ref WireReader reader)
    {
        bool hasReferences = IsTracking;
        IsPassingOver = true;
        try
        {
            Skipper.Skip(ref reader, Shape.TaggedOnly);
        }
        finally
        {
            IsPassingOver = false;
        }

        _objects.Clear();
        if (hasReferences)
        {
            _objects.BeginTracking();
        }
    }

    /// <summary>
    /// Finds the plan of a caller's session for a root after an identifier; null when there is none, or a message is under way.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ReadPlan? FindFlat(ReadOnlySpan<byte> payload) => IsReady ? _manifests.FindPlan(payload) : null;

    /// <summary>Gets whether no message is under way; the definitions of the last one then hold.</summary>
    internal bool IsReady
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            if (_busy | _disposed | _closed)
            {
                return false;
            }

            _manifests.Keep();
            return true;
        }
    }

    /// <summary>Reads a message that has a plan.</summary>
    internal object Read(ReadPlan plan, ReadOnlySpan<byte> payload, bool whole, out int unread)
    {
        CheckFree();
        plan.NoteSlow();
        BeginMessage(plan);
        var reader = new WireReader(this, payload, null);
        object value;
        try
        {
            reader.ReadRef(plan.PrefixLength);
            if (!plan.HoldsNoObjects)
            {
                BeginGraph(plan);
            }

            value = plan.ReadMembers(ref reader);
            unread = reader.Unread;
            CheckEnd(ref reader, unread, whole);
            if (!plan.HoldsNoObjects)
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

    internal void BeginMessage(Type asked)
    {
        if (_busy | _disposed | _closed)
        {
            Refuse();
        }

        _busy = true;
        _manifests.Keep();
        // A recorded beginning that was not used, of a value type, does not apply to other messages.
        _beginning = null;
        if (!ReferenceEquals(RootType, asked))
        {
            RootType = asked;
            HasCollectibleRoot = !_lastingTypes.Contains(asked);
        }
    }

    private void BeginMessage(ReadPlan plan)
    {
        _busy = true;
        _manifests.Keep();
        _isNumbered = !_ownThread;
        RootType = plan.Asked;
        Path.Start(_ownThread);
        _costs.BeginMessage(plan.Left);
    }

    private void BeginGraph(ReadPlan plan)
    {
        Path.EnterRoot();
        if (plan.Defined is { } manifest)
        {
            _manifests.Add(manifest);
        }
    }

    /// <summary>Finds the plan of a message for callers that request a <typeparamref name="T"/>; null when there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ReadPlan<T>? FindPlan<T>(ReadOnlySpan<byte> payload) =>
        !_ownThread ? _manifests.FindPlan(payload) as ReadPlan<T>
        : IsTrusted ? null
        : Serializer.Registry.ReadPlans.Find<T>(payload);

    /// <summary>Makes the plan for messages that begin as the last one did, whose value was of the requested type.</summary>
    internal void KeepPlan<T>()
    {
        if (_beginning is not { } root)
        {
            return;
        }

        _beginning = null;
        if (!ObjectFormat.AlwaysFits<T>(root.Serializer))
        {
            return;
        }

        if (_ownThread)
        {
            if (root.Manifest.Plan<T>(root.Header, root.Serializer, isLater: false) is { } plan)
            {
                Serializer.Registry.ReadPlans.Add(plan);
            }
        }
        else if (root.Identifier < Tag.ShortIdentifiers)
        {
            // A session never sees the same definition again, only its identifier.
            ReadPlan? plan = root.Manifest.Plan<T>(root.Header, root.Serializer, isLater: true);
            _manifests.AddPlan(root.Identifier, root.Manifest, plan);
        }
    }

    /// <summary>
    /// Makes the plan for standalone messages of a type, for callers that request that type, as if some had been read, and compiles its
    /// code.
    /// </summary>
    /// <param name="definition">The definition of the type: tag, length and manifest.</param>
    /// <exception cref="TypeRefusedException">The filter does not allow the type.</exception>
    internal void PreparePlan<T>(byte[] definition)
    {
        RootType = typeof(T);
        var parser = new ShapeParser(definition);
        parser.ReadByte();
        Manifest manifest = Serializer.Registry.Manifests.Get(parser.ReadBytes(parser.ReadVarUInt32()));
        ValueSerializer serializer = manifest.Serializer(this, null);
        byte header = (byte)(PayloadHeader.Version | (Serializer.Options.PreserveObjectReferences ? PayloadHeader.References : 0));
        manifest.IsRootAgain(serializer);
        if (manifest.Keeps(serializer)
            && ObjectFormat.AlwaysFits<T>(serializer)
            && manifest.Plan<T>(header, serializer, isLater: false) is { } plan)
        {
            plan.Prepare();
            Serializer.Registry.ReadPlans.Add(plan);
        }
    }

    /// <summary>Begins a message of the kind that its header says.</summary>
    internal void BeginMessage(byte header)
    {
        _costs.BeginMessage();
        _isNumbered = (header & PayloadHeader.Session) != 0;
        if (_isNumbered == _ownThread)
        {
            BeginOther();
        }

        if ((header & PayloadHeader.References) != 0)
        {
            _objects.BeginTracking();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CheckEnd(ref WireReader reader, long left, bool whole)
    {
        if (reader.Offset > MaxBytes)
        {
            ThrowHelper.Limit(nameof(Limits.MaxBytes), MaxBytes, "The payload");
        }

        if (whole && left != 0)
        {
            // They belong to no member.
            reader.Member = GraphPath.Root;
            ThrowHelper.TrailingBytes(left);
        }
    }

    // Runs what was deferred until all objects exist, and drops what is not kept between messages.
    private void EndGraph(ref WireReader reader)
    {
        if (_objects.Waiting.Any)
        {
            Path.Start(sameThread: true);
            reader.Member = GraphPath.Root;
            _objects.Waiting.Do(ReadObjects.EndOfMessage);
        }

        if (_rest is not null)
        {
            // The location of deferred work is the whole graph.
            Path.Start(sameThread: true);
            reader.Member = GraphPath.Root;
            _rest.Do();
            _rest = null;
        }

        Forget();
    }

    /// <summary>Runs what was deferred while objects were made of another format.</summary>
    internal void EndForeignGraph()
    {
        MessageRest? rest = _rest;
        _rest = null;
        rest?.Do();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Forget()
    {
        if (_isOther)
        {
            EndOther();
        }

        if (_ownThread)
        {
            _manifests.Clear();
        }

        if (IsTracking)
        {
            _objects.Clear();
        }

        if (HasCollectibleRoot)
        {
            RootType = typeof(object);
            HasCollectibleRoot = false;
        }

        _busy = false;
    }

    // Out of line: rarely called.
    private void BeginOther()
    {
        (_manifests, _otherManifests) = (_otherManifests, _manifests);
        _isOther = true;
    }

    private void EndOther()
    {
        (_manifests, _otherManifests) = (_otherManifests, _manifests);
        _isOther = false;
        if (_isNumbered)
        {
            // Read outside of its session, the message defines nothing for others.
            _otherManifests = new ReadManifests();
        }
        else
        {
            _otherManifests.Clear();
        }
    }

    private readonly record struct Beginning(Manifest Manifest, ValueSerializer Serializer, byte Header, int Identifier);
}
