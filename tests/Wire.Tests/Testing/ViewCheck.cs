using System.Reflection;
using Xunit;

namespace Wire.Tests.Testing;

/// <summary>What a view has at a path, beside what the general way finds there.</summary>
internal static class ViewCheck
{
    private static readonly MethodInfo Reading = typeof(ViewCheck).GetMethod(nameof(ReadAt), BindingFlags.Static | BindingFlags.NonPublic)!;

    private static readonly object Missing = new();

    /// <summary>
    /// Looks in both ways. A view has the same value, or refuses the payload, with the same error or one that reading something around the
    /// value has too.
    /// </summary>
    /// <returns>Whether there is a value.</returns>
    public static bool Agrees(Serializer serializer, byte[] payload, string path, Type type, Func<object?> look)
    {
        Outcome general = Try(() => Read(serializer, payload, path, type));
        Outcome view = Try(look);
        if (general.Value == Missing && view.Error is null or ArgumentOutOfRangeException or InvalidOperationException)
        {
            // Of a member that the writer does not have, the default value; of an element and in null, nothing.
            Assert.True(
                view.Error is not null || view.Value is null || view.Value.Equals(DefaultOf(type)),
                $"At '{path}' a view has {view}, and the general way nothing: {Convert.ToHexString(payload)}");
            return false;
        }

        if (view.Error is null)
        {
            Assert.True(
                general.Error is null && new GraphEquality(serializer).AreEqual(general.Value, view.Value),
                $"At '{path}' a view has {view.Value}, and the general way {general}: {Convert.ToHexString(payload)}");
            return true;
        }

        // It says so where values are not written as members.
        Assert.True(
            view.Error is NotSupportedException || Said(general.Error) == Said(view.Error) || Enclosing(path).Any(around =>
                Try(() => around.Length == 0 ? serializer.Deserialize<object>(payload) : Read(serializer, payload, around, typeof(object)))
                    .Error is not null),
            $"At '{path}' a view refuses what the general way finds, {general}: {view.Error} {Convert.ToHexString(payload)}");
        return false;
    }

    // Without the place, which each spells as it was asked.
    private static string? Said(Exception? error) => error?.Message.Split(" (at byte")[0];

    private static object? DefaultOf(Type type) => type.IsValueType ? Activator.CreateInstance(type) : null;

    private static IEnumerable<string> Enclosing(string path)
    {
        for (int at = path.Length; at > 0; at = path.LastIndexOfAny(['.', '['], at - 1))
        {
            yield return path[..at];
        }

        yield return "";
    }

    private static object? Read(Serializer serializer, byte[] payload, string path, Type type)
    {
        try
        {
            return Reading.MakeGenericMethod(type).Invoke(null, [serializer, payload, path]);
        }
        catch (TargetInvocationException e)
        {
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(e.InnerException!);
            throw;
        }
    }

    private static object? ReadAt<T>(Serializer serializer, byte[] payload, string path) =>
        serializer.TryRead(payload, path, out T? value) ? value : Missing;

    private static Outcome Try(Func<object?> look)
    {
        try
        {
            return new(look(), null);
        }
        catch (Exception e) when (e is WireFormatException or TypeRefusedException or UnsupportedTypeException
            or ArgumentException or InvalidOperationException or NotSupportedException)
        {
            return new(null, e);
        }
    }

    private readonly record struct Outcome(object? Value, Exception? Error);
}
