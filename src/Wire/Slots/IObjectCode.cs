using Wire.Flat;

namespace Wire.Slots;

/// <summary>The code for objects of one type, which is emitted when enough of them have been met to pay for it.</summary>
internal interface IObjectCode
{
    /// <summary>
    /// Gets whether values are read by reflection, because the writer's schema has not been seen often enough for compiled code.
    /// </summary>
    bool IsInterpreted { get; }

    /// <summary>The code for flat objects of exactly the type; null when they are not flat, or nothing can be emitted.</summary>
    FlatType? FlatType { get; }

    /// <summary>Compiles the code that writes an object; null where a call is as good.</summary>
    BodyWriter? CompileBodyWriter();

    /// <summary>Compiles the code that reads an object; null where a call is as good.</summary>
    BodyReader? CompileBodyReader();

    /// <summary>Returns what writes an object without compiling anything; null where that is a call.</summary>
    BodyWriter? InterpretBodyWriter();

    /// <summary>Returns what reads an object without compiling anything; null where that is a call.</summary>
    BodyReader? InterpretBodyReader();
}
