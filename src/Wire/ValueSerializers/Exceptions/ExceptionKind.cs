using System.Collections;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Runtime;
using Wire.ValueSerializers.Collections;

namespace Wire.ValueSerializers.Exceptions;

/// <summary>The written state of every exception.</summary>
internal struct ExceptionState
{
    public string? Message;

    /// <summary>
    /// The text of <see cref="Exception.Message"/> when a class builds its own; null when it is the message itself.
    /// </summary>
    public string? DisplayedMessage;

    public string? StackTrace;

    public string? Source;

    public string? HelpLink;

    public int HResult;

    public Exception? InnerException;

    public KeyValuePair<object, object?>[]? Data;
}

/// <summary>
/// The part of an exception that belongs to its base class. It is filled through the fields of <see cref="Exception"/>, whose names are
/// part of the old binary serialization and have been the same since .NET Framework.
/// </summary>
internal readonly struct ExceptionKind : IWrapperKind<Exception, ExceptionState>
{
    /// <summary>The name of the part among the members of an exception; a reader without the type recognizes an exception by it.</summary>
    public const string Part = "<exception>";

    // .NET keeps the data in a list and searches it for every key.
    private const int MaxData = 1000;

    // Comparing their keys takes at most some milliseconds.
    private const long MaxDataSteps = 1 << 20;

    private const int MaxInner = ExceptionTree.MaxInner;

    // Shorter lists of exceptions are checked every time they occur.
    private const int MaxLookedThrough = 64;

    // Lists without missing or unfinished elements.
    private static readonly ConditionalWeakTable<Exception?[], object> Complete = [];

    public static string PartName => Part;

    public static ExceptionState Unwrap(Exception wrapper)
    {
        // The inner exception is already the first of the list.
        Exception? inner =
            wrapper is AggregateException aggregate && IsFirst(aggregate, wrapper.InnerException) ? null : wrapper.InnerException;
        if (ExceptionTree.IsTooDeep(inner))
        {
            throw new UnsupportedTypeException(wrapper.GetType(), $"it has more than {MaxInner} nested inner exceptions.");
        }

        if (ExceptionTree.HasSeveral(wrapper) && ExceptionTree.Refusal(wrapper) is { } reason)
        {
            throw new UnsupportedTypeException(wrapper.GetType(), $"{reason}.");
        }

        string? message = Message(wrapper);
        string displayed = DisplayedOf(wrapper);
        return new ExceptionState
        {
            Message = message,
            // A stand-in without a message shows another text than the original.
            DisplayedMessage = displayed == message || wrapper is RemoteException ? null : displayed,
            // It is written as the nearest public class, which does not say what it was.
            StackTrace = !wrapper.GetType().IsVisible && FrameworkAssemblies.Contains(wrapper.GetType().Assembly)
                ? $"--- {wrapper.GetType()}, which is internal to .NET ---{Environment.NewLine}{wrapper.StackTrace}"
                : wrapper.StackTrace,
            Source = wrapper.Source,
            HelpLink = wrapper.HelpLink,
            HResult = wrapper.HResult,
            InnerException = inner,
            Data = Data(wrapper) switch
            {
                null or { Count: 0 } => null,
                { Count: > MaxData } =>
                    throw new UnsupportedTypeException(wrapper.GetType(), $"its Data have more than {MaxData} entries."),
                var data => BaseCalls.Pairs(data.GetEnumerator()),
            },
        };
    }

    public static void Construct(Exception target, ExceptionState inner)
    {
        CheckInner(target, inner.InnerException);
        Constructor(target);
        Message(target) = target is RemoteException ? inner.DisplayedMessage ?? inner.Message : inner.Message;
        StackTraceText(target) = inner.StackTrace;
        Source(target) = inner.Source;
        HelpLink(target) = inner.HelpLink;
        target.HResult = inner.HResult;
        InnerException(target) = inner.InnerException;
        if (target is AggregateException several)
        {
            RestoreFirst(several);
        }

        if (inner.Data is { Length: > 0 } data)
        {
            Data(target) = Filled(data);
        }
    }

    public static bool NeedsSession => true;

    /// <summary>Checks what requires all members of the exception.</summary>
    public static void Finish(DeserializerSession session, Exception target)
    {
        if (target is AggregateException or System.Reflection.ReflectionTypeLoadException || ExceptionText.IsMade(target.GetType()))
        {
            FinishLater(session, target);
        }
    }

    /// <summary>Constructs <see cref="Exception"/> in an uninitialized object, with the known text.</summary>
    public static void CopyText(Exception from, Exception to)
    {
        Constructor(to);
        Message(to) = Message(from);
        to.HResult = from.HResult;
    }

    /// <summary>The list of an exception that has several; null when the payload omits it.</summary>
    public static Exception?[]? ListOf(AggregateException several) => Several(several);

    // In a separate method, so that only these cases allocate the closure.
    private static void FinishLater(DeserializerSession session, Exception target) => session.WhenComplete(() =>
    {
        if (ExceptionText.Failure(target) is { } failure)
        {
            throw new WireFormatException(
                WireFormatError.InvalidValue, $"Not a valid {target.GetType()}: its message cannot be made. {failure.Message}", failure);
        }

        if (ExceptionTree.HasSeveral(target) && ExceptionTree.Refusal(target) is { } reason)
        {
            ThrowHelper.InvalidValue(target.GetType().Name, reason);
        }
    });

    // An exception of the program's class is passed on; with one of .NET's, no reader would accept the value.
    private static string DisplayedOf(Exception wrapper)
    {
        Type type = wrapper.GetType();
        try
        {
            string displayed = wrapper.Message;
            return ExceptionText.Failure(wrapper) is { } failure ? throw Unprintable(type, failure) : displayed;
        }
        catch (Exception e) when (ExceptionText.IsMessageOfFramework(type) && ThrowHelper.IsOfBytes(e))
        {
            throw Unprintable(type, e);
        }
    }

    private static UnsupportedTypeException Unprintable(Type type, Exception failure) =>
        new(type, $"its Message or ToString() throws, and would throw for the reader too. {failure.Message}");

    // The property may be overridden: the list then belongs to an exception without an override.
    private static IDictionary Filled(KeyValuePair<object, object?>[] pairs)
    {
        if (pairs.Length > MaxData)
        {
            ThrowHelper.InvalidValue(nameof(Exception), $"its data have more than {MaxData} entries");
        }

        IDictionary data = new FormatException().Data;
        long left = MaxDataSteps;
        foreach ((object key, object? value) in pairs)
        {
            // Each is compared with all those before it.
            left -= KeyStructure.Check(key, left / (data.Count + 1)) * (data.Count + 1);
            if (key is null || data.Contains(key))
            {
                ThrowHelper.InvalidValue(nameof(Exception), "its data have a key that is null or comes twice");
            }

            data.Add(key!, value);
        }

        return data;
    }

    // No exception contains itself: one that is not constructed yet encloses this one.
    private static void CheckInner(Exception target, Exception? inner)
    {
        if (IsUnfinished(inner) || (target is AggregateException several && HasUnfinished(Several(several))))
        {
            ThrowHelper.InvalidValue(target.GetType().Name, "it contains itself");
        }

        if (ExceptionTree.IsTooDeep(inner))
        {
            ThrowHelper.InvalidValue(target.GetType().Name, $"it has more than {MaxInner} nested inner exceptions");
        }
    }

    private static bool IsUnfinished(Exception? exception) => exception is not null && UnfinishedExceptions.Contains(exception);

    private static bool HasUnfinished(Exception?[]? all) => all is not null && !IsComplete(all) && Array.Exists(all, IsUnfinished);

    // Many may share one list in a payload: a long one is checked once.
    private static bool IsComplete(Exception?[] all) => all.Length > MaxLookedThrough && Complete.TryGetValue(all, out _);

    private static bool IsFirst(AggregateException several, Exception? exception) =>
        Several(several) is { Length: > 0 } all && ReferenceEquals(all[0], exception);

    private static void RestoreFirst(AggregateException several)
    {
        if (Several(several) is not { } all || (!IsComplete(all) && Array.IndexOf(all, null) >= 0))
        {
            ThrowHelper.InvalidValue(nameof(AggregateException), "it has no list of inner exceptions, or one of them is null");
        }
        else if (all.Length > 0)
        {
            InnerException(several) ??= all[0];
            if (all.Length > MaxLookedThrough)
            {
                Complete.TryAdd(all, all);
            }
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(Exception target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_message")]
    private static extern ref string? Message(Exception target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_remoteStackTraceString")]
    private static extern ref string? StackTraceText(Exception target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_source")]
    private static extern ref string? Source(Exception target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_helpURL")]
    private static extern ref string? HelpLink(Exception target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_innerException")]
    private static extern ref Exception? InnerException(Exception target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_data")]
    private static extern ref IDictionary? Data(Exception target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_innerExceptions")]
    private static extern ref Exception?[]? Several(AggregateException target);
}
