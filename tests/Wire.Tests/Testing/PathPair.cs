using System.Reflection;
using Xunit;

namespace Wire.Tests.Testing;

/// <summary>One path by <c>Serializer.TryRead</c> and by a <see cref="PayloadPath{T}"/> that is kept: both find the same.</summary>
public abstract class PathPair
{
    /// <summary>How often a payload is looked into.</summary>
    public const int Looks = 4;

    /// <summary>Makes one for values of a type.</summary>
    public static PathPair Create(Serializer serializer, string path, Type type) => (PathPair)Activator.CreateInstance(
        typeof(PathPair<>).MakeGenericType(type), BindingFlags.Instance | BindingFlags.Public, null, [serializer, path], null)!;

    /// <summary>Looks into a payload in both ways.</summary>
    public abstract void Check(byte[] payload);

    /// <summary>Looks into a message of a session in both ways.</summary>
    public abstract void Check(byte[] payload, DeserializerSession general, DeserializerSession kept);
}

/// <summary>One path to values of one type.</summary>
public sealed class PathPair<T>(Serializer serializer, string path) : PathPair
{
    private readonly PayloadPath<T> _path = serializer.Path<T>(path);

    private delegate bool Looking(out T? value);

    public override void Check(byte[] payload)
    {
        Outcome general = Try((out T? value) => serializer.TryRead(payload, path, out value));
        for (int i = 0; i < 2; i++)
        {
            Same(general, Try((out T? value) => _path.TryRead(payload, out value)));
        }

        if (_path is PayloadPath<string> text)
        {
            Same(general, Try((out T? value) => IsText(text, payload, out value)));
        }
    }

    public override void Check(byte[] payload, DeserializerSession general, DeserializerSession kept) => Same(
        Try((out T? value) => serializer.TryRead(payload, path, general, out value)),
        Try((out T? value) => _path.TryRead(payload, kept, out value)));

    private static bool IsText(PayloadPath<string> path, byte[] payload, out T? value)
    {
        bool isThere = path.TryReadText(payload, out PayloadText text);
        value = (T?)(object?)text.ToString();
        return isThere;
    }

    private static Outcome Try(Looking look)
    {
        try
        {
            bool isThere = look(out T? value);
            return new(isThere, value, null);
        }
        catch (Exception e) when (e is WireFormatException or TypeRefusedException or UnsupportedTypeException)
        {
            return new(false, default, e);
        }
    }

    private void Same(Outcome general, Outcome kept)
    {
        Assert.True(
            general.IsThere == kept.IsThere && $"{general.Error?.Message}" == $"{kept.Error?.Message}"
                && general.Error?.GetType() == kept.Error?.GetType()
                && (general.Error as WireFormatException)?.Offset == (kept.Error as WireFormatException)?.Offset
                && new GraphEquality(serializer).AreEqual(general.Value, kept.Value),
            $"{typeof(T)} at '{path}': {general} in the general way, {kept} by the path.");
    }

    private readonly record struct Outcome(bool IsThere, T? Value, Exception? Error);
}
