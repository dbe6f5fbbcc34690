using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Compilation.Emit;
using Wire.Runtime;

namespace Wire.Compilation.Flat;

/// <summary>
/// Arrays and lists in flat objects: a count of one or two bytes, and the elements, which the code goes through in their memory.
/// </summary>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal static class FlatSequences
{
    /// <summary>The method that writes a count and returns its number of bytes.</summary>
    public static MethodInfo StoreCount { get; } = ((Func)FlatCount.Store).Method;

    /// <summary>The method that reads a count.</summary>
    public static MethodInfo LoadCount { get; } = ((Reader)FlatCount.Load).Method;

    private delegate int Func(ref byte destination, int count);

    private delegate int Reader(ref byte source, int available, int elementSize, out int count);

    /// <summary>Emits the loads of a collection's first element and count.</summary>
    public static void EmitOpen<TDelegate>(
        MethodCompiler<TDelegate> compiler, LocalBuilder collection, Type element, LocalBuilder first, LocalBuilder count)
        where TDelegate : Delegate
    {
        ILGenerator il = compiler.IL;
        il.Emit(OpCodes.Ldloc, collection);
        il.Emit(OpCodes.Ldloca, count);
        compiler.EmitCall(typeof(FlatSequences)
            .GetMethod(collection.LocalType.IsArray ? nameof(OpenArray) : nameof(OpenList), BindingFlags.Static | BindingFlags.NonPublic)!
            .MakeGenericMethod(element));
        il.Emit(OpCodes.Stloc, first);
    }

    /// <summary>Emits the creation of a collection with as many elements as a local says; it is left on the evaluation stack.</summary>
    public static void EmitCreate<TDelegate>(MethodCompiler<TDelegate> compiler, Type collection, Type element, LocalBuilder count)
        where TDelegate : Delegate
    {
        compiler.IL.Emit(OpCodes.Ldloc, count);
        compiler.EmitCall(typeof(FlatSequences)
            .GetMethod(collection.IsArray ? nameof(CreateArray) : nameof(CreateList), BindingFlags.Static | BindingFlags.NonPublic)!
            .MakeGenericMethod(element));
    }

    /// <summary>Emits a loop over the elements from a reference on, which it moves.</summary>
    public static void EmitLoop(ILGenerator il, LocalBuilder first, LocalBuilder count, Type element, Action emit)
    {
        Label next = il.DefineLabel(), end = il.DefineLabel();
        il.MarkLabel(next);
        il.Emit(OpCodes.Ldloc, count);
        il.Emit(OpCodes.Ldc_I4_1);
        il.Emit(OpCodes.Sub);
        il.Emit(OpCodes.Stloc, count);
        il.Emit(OpCodes.Ldloc, count);
        il.Emit(OpCodes.Ldc_I4_0);
        il.Emit(OpCodes.Blt, end);
        emit();
        EmitNext(il, first, element);
        il.Emit(OpCodes.Br, next);
        il.MarkLabel(end);
    }

    /// <summary>
    /// Emits a loop over the elements that a method is called for, while they are flat: its second argument refers to the window, the third
    /// one to the first element, and the fourth one is how many there are.
    /// </summary>
    /// <param name="il">The method.</param>
    /// <param name="element">The type of the elements.</param>
    /// <param name="window">The fields of the window: the position, and the end.</param>
    /// <param name="start">The local for the position in front of the element.</param>
    /// <param name="done">The local for the number of elements in front of it.</param>
    /// <param name="room">The local for the number of bytes from there to the end of the window.</param>
    /// <param name="end">The destination of jumps out of the loop.</param>
    /// <param name="emit">Emits what is done with an element, and returns the position behind it.</param>
    public static void EmitRun(
        ILGenerator il,
        Type element,
        (FieldInfo Current, FieldInfo End) window,
        LocalBuilder start,
        LocalBuilder done,
        LocalBuilder room,
        Label end,
        Func<LocalBuilder, FlatPosition> emit)
    {
        LocalBuilder first = il.DeclareLocal(typeof(byte).MakeByRefType());
        Label next = il.DefineLabel();
        il.Emit(OpCodes.Ldarg_2);
        il.Emit(OpCodes.Stloc, first);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldfld, window.Current);
        il.Emit(OpCodes.Stloc, start);
        il.MarkLabel(next);
        il.Emit(OpCodes.Ldloc, done);
        il.Emit(OpCodes.Ldarg_3);
        il.Emit(OpCodes.Bge, end);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldfld, window.End);
        il.Emit(OpCodes.Ldloc, start);
        il.Emit(OpCodes.Sub);
        il.Emit(OpCodes.Conv_I4);
        il.Emit(OpCodes.Stloc, room);
        emit(first).Load();
        il.Emit(OpCodes.Stloc, start);
        EmitNext(il, first, element);
        il.Emit(OpCodes.Ldloc, done);
        il.Emit(OpCodes.Ldc_I4_1);
        il.Emit(OpCodes.Add);
        il.Emit(OpCodes.Stloc, done);
        il.Emit(OpCodes.Br, next);
    }

    private static void EmitNext(ILGenerator il, LocalBuilder first, Type element)
    {
        il.Emit(OpCodes.Ldloc, first);
        il.Emit(OpCodes.Sizeof, element);
        il.Emit(OpCodes.Add);
        il.Emit(OpCodes.Stloc, first);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref T OpenArray<T>(T[] array, out int count)
    {
        count = array.Length;
        return ref MemoryMarshal.GetArrayDataReference(array);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref T OpenList<T>(List<T> list, out int count)
    {
        Span<T> span = CollectionsMarshal.AsSpan(list);
        count = span.Length;
        return ref MemoryMarshal.GetReference(span);
    }

    private static T[] CreateArray<T>(int count) =>
        RuntimeHelpers.IsReferenceOrContainsReferences<T>() ? new T[count] : GC.AllocateUninitializedArray<T>(count);

    private static List<T> CreateList<T>(int count)
    {
        var list = new List<T>(count);
        CollectionsMarshal.SetCount(list, count);
        return list;
    }
}
